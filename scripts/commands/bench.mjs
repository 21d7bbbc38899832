import { spawn } from 'node:child_process'
import { inRoot, root } from '../lib/checkout.mjs'
import { setUp } from '../lib/setup.mjs'

/**
 * Measures what is built, after installing and building what that needs.
 * @param {string[]} args for bench/src/main.ts
 */
export async function main(args) {
  await setUp()
  const env = { ...process.env, TSX_TSCONFIG_PATH: inRoot('bench/tsconfig.json') }
  const child = spawn(process.execPath, ['--import', 'tsx', inRoot('bench/src/main.ts'), ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}
