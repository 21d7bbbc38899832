import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

const PATIENCE_MS = 120_000

export interface Outcome {
  readonly code: number | null
  readonly output: string
}

/** A project outside this checkout, with the library as npm would install it: the packed tarball, unpacked. */
export interface Consumer {
  readonly folder: string
  /** Where the library lies. */
  readonly library: string
  write(files: { readonly [path: string]: string }): void
  /** Runs Node in the project. */
  node(args: readonly string[], patienceMs?: number): Outcome
  remove(): void
}

export function makeConsumer(): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-consumer-'))
  const library = join(folder, 'node_modules/headgate')
  mkdirSync(library, { recursive: true })
  build()
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], { cwd: root })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  execFileSync('tar', ['-xzf', join(folder, String(tarball)), '-C', library, '--strip-components=1'])
  // Types of Node for the compilers that check a consumer, as such a project would have them.
  mkdirSync(join(folder, 'node_modules/@types'))
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'junction')
  symlinkSync(join(root, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'), 'junction')

  return {
    folder,
    library,
    write(files) {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
    },
    node: (args, patienceMs) => node(args, folder, patienceMs),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function node(args: readonly string[], cwd: string, patienceMs = PATIENCE_MS): Outcome {
  const { NODE_OPTIONS: _, ...env } = process.env
  const done = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8', timeout: patienceMs })
  return { code: done.status, output: done.stdout + done.stderr }
}

function build(): void {
  const { code, output } = node([join(root, 'scripts/build.mjs')], root)
  if (code !== 0) throw new Error(`there is nothing to pack, the build failed:\n${output}`)
}
