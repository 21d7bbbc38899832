import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Runs a program of this folder on the sources, in a process of its own that must end by itself; resolves with what it wrote, from JSON. */
export async function run(program: string): Promise<unknown> {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', path], {
    cwd: root,
    timeout: 60_000,
  })
  return JSON.parse(stdout)
}
