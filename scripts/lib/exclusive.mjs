import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { readJson, say } from './checkout.mjs'
import { isAlive, processOf } from './processes.mjs'
import { Trouble } from './trouble.mjs'

/** @typedef {import('./processes.mjs').Process} Process */
/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/**
 * Who works here. The child counts as much as its owner: npm goes on after a setup that was killed.
 * @typedef {{ owner: Process, child?: Process | undefined }} Holder
 */
/**
 * @typedef {object} Hold
 * @property {(child: ChildProcess) => void} guard says which child works under this hold; a signal ends it first
 */

const POLL_MS = 100
const PATIENCE_MS = 15 * 60_000
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * Does `work` while no other process of this checkout does any.
 * @template T
 * @param {string} file
 * @param {(hold: Hold) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function exclusively(file, work) {
  const me = /** @type {Process} */ (processOf(process.pid))
  await acquire(file, me)
  /** @type {ChildProcess | undefined} */
  let child
  const release = () => rmSync(file, { force: true })

  /** @param {NodeJS.Signals} signal */
  const stop = async (signal) => {
    await ended(child)
    release()
    for (const each of SIGNALS) process.removeListener(each, stop)
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.once(signal, stop)

  try {
    return await work({
      guard(next) {
        child = next
        if (next.pid !== undefined) replace(file, { owner: me, child: processOf(next.pid) })
      },
    })
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop)
    release()
  }
}

/**
 * @param {string} file
 * @param {Process} me
 */
async function acquire(file, me) {
  const deadline = performance.now() + PATIENCE_MS
  let told = 0
  while (!create(file, { owner: me })) {
    const worker = workerOf(file)
    if (worker === undefined) takeAway(file, me)
    if (performance.now() > deadline) {
      throw new Trouble(
        `${file} has been held for 15 minutes${worker ? ` by process ${worker}` : ''}: end that, or delete the file, and run the command again.`,
      )
    }
    if (worker && worker !== told) {
      say(`another setup is at work here (process ${worker}); waiting for it …`)
      told = worker
    }
    await sleep(POLL_MS)
  }
}

/**
 * @param {string} file
 * @returns {number | undefined} the process that holds the file; 0 if it is gone by now; undefined if its holders are dead
 */
function workerOf(file) {
  const age = ageMs(file)
  if (age === undefined) return 0
  const holder = /** @type {Holder | undefined} */ (readJson(file))
  // Made a moment ago and not yet written: its maker is about to.
  if (holder?.owner === undefined) return age < 2_000 ? 0 : undefined
  return [holder.owner, holder.child].find(isAlive)?.pid
}

/**
 * Removes what dead holders left. Of several that see them dead one may, and only while it is still theirs: else the second would
 * remove the fresh claim of the first.
 * @param {string} file
 * @param {Process} me
 */
function takeAway(file, me) {
  const taking = `${file}.taking`
  if (!create(taking, { owner: me })) {
    if (workerOf(taking) === undefined) rmSync(taking, { force: true })
    return
  }
  try {
    if (workerOf(file) === undefined) rmSync(file, { force: true })
  } finally {
    rmSync(taking, { force: true })
  }
}

/**
 * @param {string} file
 * @param {Holder} holder
 */
function create(file, holder) {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx' })
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    throw new Trouble(
      `cannot write in this checkout (${/** @type {Error} */ (error).message}): make the folder writable.`,
    )
  }
}

/**
 * @param {string} file
 * @param {Holder} holder
 */
function replace(file, holder) {
  const next = `${file}.${holder.owner.pid}`
  writeFileSync(next, JSON.stringify(holder))
  renameSync(next, file)
}

/** @param {string} file */
function ageMs(file) {
  try {
    return Math.abs(Date.now() - statSync(file).mtimeMs)
  } catch {
    return undefined
  }
}

/** @param {ChildProcess | undefined} child */
async function ended(child) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  const slow = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(slow)
}
