import { existsSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './checkout.mjs'
import { runNode } from './child.mjs'
import { Trouble } from './trouble.mjs'

const gate = fileURLToPath(new URL('./npm-gate.mjs', import.meta.url))

/** Of what npm hands to its scripts, only how to reach the registry still holds for another npm: an `omit` or a `workspace` does not. */
const CONNECTION =
  /^npm_config_(registry|cache|userconfig|globalconfig|noproxy|.*proxy|ca|cafile|cert|key|strict_ssl|.*offline|fetch_.*|maxsockets|local_address|\/\/.*|@.*)$/i

const ARGS = ['--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
/** npm's own patience is 70 s of silence before it says that there is no network. */
const RETRIES = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=10000']

/**
 * Installs exactly what the lock file says, and throws away what was there.
 * @param {import('./exclusive.mjs').Hold} hold
 */
export async function cleanInstall(hold) {
  const npm = findNpm()
  if (npm === undefined) {
    throw new Trouble(
      'npm was not found beside Node or on the PATH: install it (it comes with Node) and run the command again.',
    )
  }
  const ci = (/** @type {string[]} */ ...more) =>
    runNode([gate, npm, 'ci', ...ARGS, ...RETRIES, ...more], {
      cwd: root,
      env: cleanEnv(),
      started: hold.guard,
    })
  let done = await ci('--prefer-offline')
  // npm's cache may know a package from before the version that is asked for.
  if (done.output.includes('ETARGET')) done = await ci('--prefer-online')
  if (done.code !== 0) throw new Trouble(whyItFailed(done))
}

export function findNpm() {
  const bin = dirname(process.execPath)
  const candidates = [
    process.env['npm_execpath'] ?? '',
    ...(process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'npm')),
    join(bin, '../lib/node_modules/npm/bin/npm-cli.js'),
    join(bin, 'node_modules/npm/bin/npm-cli.js'),
  ]
  return candidates
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .find((path) => basename(path) === 'npm-cli.js')
}

export function cleanEnv() {
  const kept = Object.entries(process.env).filter(
    ([name]) => name !== 'NODE_ENV' && name !== 'INIT_CWD' && (!/^npm_/i.test(name) || CONNECTION.test(name)),
  )
  return Object.fromEntries(kept)
}

/**
 * npm tells one trouble in ten lines, and the reader needs the one.
 * @param {import('./child.mjs').Finished} done
 */
function whyItFailed({ code, signal, output }) {
  if (signal !== null) return `npm ci was stopped (${signal}): run the command again, it starts afresh.`
  const found = REASONS.map(([pattern, tell]) => ({ match: pattern.exec(output), tell })).find(
    ({ match }) => match !== null,
  )
  if (found?.match) return found.tell(found.match[0])
  return `npm ci failed with exit code ${code}; its last words were:\n${output.trim().split('\n').slice(-15).join('\n')}`
}

/** @type {[RegExp, (word: string) => string][]} */
const REASONS = [
  [
    /EUSAGE|ENOLOCK/,
    () =>
      'package-lock.json is out of step with package.json: run npm install, and commit the lock file that it writes.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|EPIPE|ENOTCACHED|ERR_SOCKET_TIMEOUT|FETCH_ERROR/,
    (word) =>
      `the package registry cannot be reached (${word}): check the network, the proxy and npm's registry setting, and run the command again.`,
  ],
  [/ENOSPC/, () => 'the disk is full (ENOSPC): make room and run the command again.'],
  [
    /EACCES|EPERM|EROFS/,
    (word) =>
      `npm may not write in this checkout or in its cache (${word}): make both writable for this user.`,
  ],
  [
    /EINTEGRITY|E401|E403|E404|ETARGET|E5\d\d/,
    (word) =>
      `the package registry did not serve what package-lock.json asks for (${word}): check npm's registry setting, and run npm ci to see which package.`,
  ],
]
