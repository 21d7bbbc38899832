import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { build, builds, upToDate } from './builds.mjs'
import { hashOf, inRoot, readJson, say, secondsSince } from './checkout.mjs'
import { exclusively } from './exclusive.mjs'
import { agrees, isThere, readLock, readRecord, recordFile } from './lockfile.mjs'
import { cleanInstall } from './npm.mjs'

/** @typedef {import('./exclusive.mjs').Hold} Hold */
/**
 * What was found in order, and for what: kept inside node_modules, so that it goes when they go.
 * @typedef {{ lock?: string, runtime?: string, builds?: Record<string, import('./builds.mjs').Built> }} Stamp
 */

/** Outside node_modules, which npm ci throws away. */
const claim = inRoot('.headgate-setup.lock')
const stampFile = inRoot('node_modules/.headgate-setup.json')
const runtime = `${process.platform}-${process.arch}-${process.versions.modules}`

/**
 * Installs what the lock file says and builds what the sources say, each only if it is not there. Safe beside others, and after one
 * that was killed.
 * @param {{ build?: boolean, force?: boolean }} [options] `force` builds again what is up to date
 */
export async function setUp({ build: building = true, force = false } = {}) {
  const lock = readLock()
  const lockHash = hashOf(['package-lock.json'])
  const inOrder = () => installed(lock, lockHash) && !(building && (force || stale().length > 0))
  if (!existsSync(claim) && inOrder()) return

  await exclusively(claim, async (hold) => {
    if (!installed(lock, lockHash)) await install(lock, lockHash, hold)
    if (!building) return
    for (const each of force ? builds : stale()) {
      const built = await build(each, hold)
      const stamp = readStamp()
      writeStamp({ ...stamp, builds: { ...stamp.builds, [each.name]: built } })
    }
  })
}

/**
 * An install that somebody else made counts too, if npm's record of it agrees with the lock.
 * @param {import('./lockfile.mjs').Lock} lock
 * @param {string} lockHash
 */
function installed(lock, lockHash) {
  const stamp = readStamp()
  if (stamp.runtime !== undefined && stamp.runtime !== runtime) return false
  const record = readRecord()
  if (record === undefined || !isThere(record)) return false
  return stamp.lock === lockHash || agrees(record, lock)
}

/**
 * @param {import('./lockfile.mjs').Lock} lock
 * @param {string} lockHash
 * @param {Hold} hold
 */
async function install(lock, lockHash, hold) {
  const startedMs = performance.now()
  const count = Object.keys(lock.packages).filter((path) => path.includes('node_modules/')).length
  say(`installing up to ${count} packages, as package-lock.json says …`)
  // An install that is cut short must not look whole: npm writes its record when all is in place.
  for (const file of [stampFile, recordFile]) rmSync(file, { force: true })
  const progress = setInterval(() => say(`still installing (${secondsSince(startedMs)}) …`), 15_000)
  try {
    await cleanInstall(hold)
  } finally {
    clearInterval(progress)
  }
  writeStamp({ lock: lockHash, runtime })
  say(`installed in ${secondsSince(startedMs)}`)
}

function stale() {
  const known = readStamp().builds ?? {}
  return builds.filter((each) => !upToDate(each, known[each.name]))
}

/** @returns {Stamp} */
const readStamp = () => readJson(stampFile) ?? {}

/** @param {Stamp} stamp */
function writeStamp(stamp) {
  mkdirSync(inRoot('node_modules'), { recursive: true })
  writeFileSync(stampFile, `${JSON.stringify(stamp, undefined, 2)}\n`)
}
