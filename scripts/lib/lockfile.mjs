import { existsSync, readdirSync } from 'node:fs'
import { inRoot, readJson } from './checkout.mjs'
import { Trouble } from './trouble.mjs'

/**
 * @typedef {Record<string, string>} Wanted
 * @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, devOptional?: boolean, os?: string[],
 *   cpu?: string[], bin?: Record<string, string>, dependencies?: Wanted, devDependencies?: Wanted, optionalDependencies?: Wanted,
 *   peerDependencies?: Wanted, workspaces?: string[] }} Entry
 * @typedef {{ packages: Record<string, Entry> }} Lock
 */

const KINDS = /** @type {const} */ ([
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
])
export const recordFile = inRoot('node_modules/.package-lock.json')

const REPAIR = 'run npm install, and commit the lock file that it writes.'

/** @returns {Lock} the lock file, once it is known to say what every package.json says */
export function readLock() {
  const lock = /** @type {Lock | undefined} */ (readJson(inRoot('package-lock.json')))
  if (lock?.packages === undefined)
    throw new Trouble(`package-lock.json is missing or broken: restore it from git, or ${REPAIR}`)
  const manifest = manifestOf('')
  for (const folder of ['', ...foldersOf(manifest.workspaces ?? [])]) {
    const difference = firstDifference(manifestOf(folder), lock.packages[folder])
    if (difference === undefined) continue
    const file = folder === '' ? 'package.json' : `${folder}/package.json`
    throw new Trouble(`package-lock.json is out of step with ${file} (${difference}): ${REPAIR}`)
  }
  return lock
}

/** @returns {Lock | undefined} what npm wrote down of its last install, once that was whole */
export function readRecord() {
  const record = readJson(recordFile)
  return record?.packages === undefined ? undefined : record
}

/**
 * @param {Lock} record
 * @param {Lock} lock
 */
export function agrees(record, lock) {
  const asked = Object.entries(lock.packages).filter(([path]) => path.includes('node_modules/'))
  return asked.every(([path, entry]) => {
    const there = record.packages[path]
    if (there === undefined) return entry.optional === true || entry.devOptional === true
    return there.version === entry.version && there.integrity === entry.integrity
  })
}

/**
 * Whether all that the record names is in place, made for this machine, and the workspaces' commands are linked.
 * @param {Lock} record
 */
export function isThere(record) {
  return Object.entries(record.packages).every(([path, entry]) => {
    if (!path.includes('node_modules/')) {
      return Object.keys(entry.bin ?? {}).every((name) => existsSync(inRoot('node_modules/.bin', name)))
    }
    return runsHere(entry) && existsSync(inRoot(path, entry.link ? '' : 'package.json'))
  })
}

/** @param {Entry} entry */
function runsHere({ os, cpu }) {
  return (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true)
}

/**
 * @param {string} folder
 * @returns {Entry}
 */
function manifestOf(folder) {
  const file = folder === '' ? 'package.json' : `${folder}/package.json`
  const manifest = readJson(inRoot(file))
  if (manifest === undefined) throw new Trouble(`${file} is missing or is not JSON: restore it from git.`)
  return manifest
}

/** @param {string[]} patterns */
function foldersOf(patterns) {
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [pattern]
    const parent = pattern.slice(0, -2)
    if (!existsSync(inRoot(parent))) return []
    const children = readdirSync(inRoot(parent)).map((name) => `${parent}/${name}`)
    return children.filter((folder) => existsSync(inRoot(folder, 'package.json')))
  })
}

/**
 * @param {Entry} manifest
 * @param {Entry | undefined} locked
 * @returns {string | undefined}
 */
function firstDifference(manifest, locked) {
  if (locked === undefined) return 'the lock does not know this workspace'
  for (const kind of KINDS) {
    const want = manifest[kind] ?? {}
    const have = locked[kind] ?? {}
    const name = Object.keys({ ...want, ...have }).find((each) => want[each] !== have[each])
    if (name !== undefined)
      return `${name}: ${want[name] ?? 'absent'} there, ${have[name] ?? 'absent'} in the lock`
  }
  return undefined
}
