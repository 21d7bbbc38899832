import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * A process, told from a later one that got the same number by the moment it started.
 * @typedef {{ readonly pid: number, readonly started: string }} Process
 */

/**
 * @param {number} pid
 * @returns {Process | undefined} undefined if no such process runs
 */
export function processOf(pid) {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedElsewhere(pid)
  return started === undefined ? undefined : { pid, started }
}

/** @param {Process | undefined} known */
export function isAlive(known) {
  return known !== undefined && processOf(known.pid)?.started === known.started
}

/**
 * @param {number} pid
 * @returns {number[]}
 */
export function childrenOf(pid) {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = (stdout ?? '').trim().split('\n')
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid ? [Number(child)] : []))
}

/** @param {number} pid */
function startedOnLinux(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The command's name stands in brackets and may hold any character: count from its end. State, then 19 fields on, start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A killed process that nobody has reaped is still listed. It works no more.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}

/** @param {number} pid */
function startedElsewhere(pid) {
  const ps = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  if (ps.error) return send(pid, 0) ? 'unknown' : undefined
  const [state, ...started] = ps.stdout.trim().split(/\s+/)
  return !state || state.startsWith('Z') ? undefined : started.join(' ')
}

/**
 * @param {number} pid
 * @param {NodeJS.Signals | 0} signal 0 only asks
 * @returns {boolean} whether there was anyone to get it
 */
export function send(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
