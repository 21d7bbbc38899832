import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {object} Finished
 * @property {number | null} code
 * @property {NodeJS.Signals | null} signal
 * @property {string} output what it wrote, both streams in the order they came
 */

/**
 * Runs a program of Node's to its end and keeps what it writes, as plain text.
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, started?: (child: import('node:child_process').ChildProcess) => void }} options
 * @returns {Promise<Finished>}
 */
export function runNode(args, { cwd, env = process.env, started }) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  const keep = (/** @type {string} */ text) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  child.stdin.on('error', () => {})
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, output: stripVTControlCharacters(output) }))
    started?.(child)
    child.stdin.end('go\n')
  })
}
