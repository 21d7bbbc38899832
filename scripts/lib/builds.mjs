import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { hashOf, inRoot, readJson, say, secondsSince } from './checkout.mjs'
import { runNode } from './child.mjs'
import { Trouble } from './trouble.mjs'

/**
 * @typedef {{ name: string, folder: string, inputs: string[], output: string }} Build
 * @typedef {{ inputs: string, output: string }} Built the hashes of what went in and what came out
 */

/** In the order in which they are built. @type {Build[]} */
export const builds = [
  {
    name: 'library',
    folder: '.',
    inputs: [
      'src',
      'tsdown.config.ts',
      'tsconfig.json',
      'tsconfig.src.json',
      'package.json',
      'package-lock.json',
    ],
    output: 'dist',
  },
  {
    name: 'command line',
    folder: 'cli',
    inputs: ['cli/src', 'cli/tsdown.config.ts', 'cli/package.json', 'tsconfig.json', 'package-lock.json'],
    output: 'cli/dist',
  },
]

const isTest = (/** @type {string} */ path) => path.endsWith('.test.ts')

/**
 * @param {Build} build
 * @param {Built | undefined} known
 */
export function upToDate({ inputs, output }, known) {
  if (known === undefined || !existsSync(inRoot(output))) return false
  return known.inputs === hashOf(inputs, isTest) && known.output === hashOf([output])
}

/**
 * Builds aside and moves the whole into place, so that nobody meets half of it.
 * @param {Build} build
 * @param {import('./exclusive.mjs').Hold} hold
 * @returns {Promise<Built>}
 */
export async function build({ name, folder, inputs, output }, hold) {
  const startedMs = performance.now()
  const workshop = inRoot('node_modules/.headgate-build')
  rmSync(workshop, { recursive: true, force: true })
  const aside = `${workshop}/${process.pid}`
  mkdirSync(aside, { recursive: true })
  const before = hashOf(inputs, isTest)
  say(`building the ${name} …`)
  const done = await runNode([tsdown(), '--out-dir', `${aside}/new`], {
    cwd: inRoot(folder),
    started: hold.guard,
  })
  if (done.code !== 0) {
    throw new Trouble(`the ${name} could not be built; tsdown said:\n${done.output.trim()}`)
  }
  if (existsSync(inRoot(output))) renameSync(inRoot(output), `${aside}/old`)
  renameSync(`${aside}/new`, inRoot(output))
  rmSync(workshop, { recursive: true, force: true })
  say(`built ${output}/ in ${secondsSince(startedMs)}`)
  return { inputs: before, output: hashOf([output]) }
}

function tsdown() {
  const manifest = readJson(inRoot('node_modules/tsdown/package.json'))
  return inRoot('node_modules/tsdown', manifest.bin.tsdown)
}
