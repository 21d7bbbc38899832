import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRoot, readJson, root, say } from './checkout.mjs'
import { childrenOf, send } from './processes.mjs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/**
 * Runs Vitest before the reader's eyes, and counts what it ran.
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, patienceMinutes?: number }} [options]
 * @returns {Promise<Tally>}
 */
export async function runTests(args, { env = {}, patienceMinutes = 40 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-tests-'))
  const tallyFile = join(folder, 'tally.json')
  try {
    const vitest = inRoot('node_modules/vitest/vitest.mjs')
    const reporters = ['--reporter=default', `--reporter=${inRoot('scripts/lib/tally-reporter.mjs')}`]
    const ok = await follow(
      [vitest, 'run', ...reporters, ...args],
      { ...env, HEADGATE_TALLY: tallyFile },
      patienceMinutes,
    )
    /** @type {Tally} */
    const { passed, failed, skipped } = readJson(tallyFile) ?? { passed: 0, failed: 0, skipped: 0 }
    return { passed, failed: Math.max(failed, ok ? 0 : 1), skipped }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {number} patienceMinutes
 * @returns {Promise<boolean>}
 */
function follow(args, env, patienceMinutes) {
  // Vitest colours a log file too.
  const colour = process.stdout.isTTY || process.env['FORCE_COLOR'] !== undefined ? {} : { NO_COLOR: '1' }
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...colour, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const pass = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, pass)
  // A loop that never ends stops Vitest's own clocks too.
  const patience = setTimeout(() => {
    say(`the tests did not end within ${patienceMinutes} minutes: one of them hangs`)
    for (const pid of [...childrenOf(Number(child.pid)), Number(child.pid)]) send(pid, 'SIGKILL')
  }, patienceMinutes * 60_000)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(patience)
      resolve(code === 0)
    })
  })
}
