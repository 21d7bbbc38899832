import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRoot, readJson, root } from './checkout.mjs'
import { runNode } from './child.mjs'
import { cleanEnv, findNpm } from './npm.mjs'
import { setUp } from './setup.mjs'

/**
 * A check that needs no test runner. It returns what went wrong, or nothing; `note` is shown beside a pass.
 * @typedef {{ wrong?: string | undefined, note?: string }} Verdict
 * @typedef {{ name: string, about: string, run: () => Promise<Verdict> }} Step
 */

/** @type {Step[]} */
export const steps = [
  {
    name: 'lint',
    about: 'Biome: lint, format, order of imports',
    run: () => tool('@biomejs/biome', 'biome', ['ci', '.']),
  },
  { name: 'types', about: 'TypeScript, for the library, for what runs here and for the scripts', run: types },
  { name: 'imports', about: 'dependency-cruiser: imports run one way', run: imports },
  {
    name: 'unused',
    about: 'knip: no file, export or dependency that nobody uses',
    run: () => tool('knip', 'knip', ['--no-progress', '--treat-config-hints-as-errors']),
  },
  { name: 'build', about: 'the library and the command line', run: () => setUp().then(() => ({})) },
  { name: 'pack', about: 'publint and arethetypeswrong on the packed library', run: packed },
  { name: 'size', about: 'size-limit for each subpath; one policy weighs less than five', run: sizes },
]

/**
 * @param {string} packageName
 * @param {string} bin
 * @param {string[]} args
 * @returns {Promise<Verdict>}
 */
async function tool(packageName, bin, args) {
  const { code, output } = await runTool(packageName, bin, args)
  return { wrong: code === 0 ? undefined : output }
}

/**
 * @param {string} packageName
 * @param {string} bin
 * @param {string[]} args
 */
function runTool(packageName, bin, args) {
  const { bin: bins } = readJson(inRoot('node_modules', packageName, 'package.json'))
  const script = inRoot('node_modules', packageName, typeof bins === 'string' ? bins : bins[bin])
  return runNode([script, ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  })
}

async function types() {
  const projects = ['tsconfig.src.json', 'tsconfig.json', 'scripts/tsconfig.json']
  const verdicts = await inTurn(projects, (project) => tool('typescript', 'tsc', ['--noEmit', '-p', project]))
  return together(verdicts)
}

function imports() {
  const folders = ['src', 'cli', 'lab', 'bench', 'examples', 'test', 'scripts'].filter((folder) =>
    existsSync(inRoot(folder)),
  )
  return tool('dependency-cruiser', 'depcruise', ['--config', '.dependency-cruiser.cjs', ...folders])
}

async function packed() {
  const npm = findNpm()
  const folder = mkdtempSync(join(tmpdir(), 'headgate-pack-'))
  try {
    const args = [String(npm), 'pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder]
    const done = await runNode(args, { cwd: root, env: cleanEnv() })
    if (done.code !== 0) return { wrong: done.output }
    const tarball = join(folder, String(readdirSync(folder)[0]))
    return together([
      await tool('publint', 'publint', ['run', '--strict', tarball]),
      await tool('@arethetypeswrong/cli', 'attw', ['--profile', 'esm-only', '--no-emoji', tarball]),
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function sizes() {
  const done = await runTool('size-limit', 'size-limit', ['--json'])
  /** @type {{ name: string, size: number, sizeLimit: number, passed: boolean }[]} */
  const rows = JSON.parse(done.output)
  const size = Object.fromEntries(rows.map((row) => [row.name, row.size]))
  const tooBig = rows
    .filter((row) => !row.passed)
    .map((row) => `${row.name} is ${row.size} bytes gzipped; at most ${row.sizeLimit} may be`)
  const one = Number(size['one policy'])
  const five = Number(size['five policies'])
  if (!(one < five))
    tooBig.push(
      `a bundle with one policy is ${one} bytes, with five ${five}: unused algorithms are not shaken off`,
    )
  return {
    wrong: tooBig.length > 0 ? tooBig.join('\n') : undefined,
    note: rows.map((row) => `${row.name} ${row.size}`).join(', '),
  }
}

/**
 * @template T, R
 * @param {T[]} items
 * @param {(item: T) => Promise<R>} work
 */
async function inTurn(items, work) {
  /** @type {R[]} */
  const results = []
  for (const item of items) results.push(await work(item))
  return results
}

/**
 * @param {Verdict[]} verdicts
 * @returns {Verdict}
 */
function together(verdicts) {
  const wrong = verdicts.flatMap((verdict) => verdict.wrong ?? [])
  return { wrong: wrong.length > 0 ? wrong.join('\n') : undefined }
}
