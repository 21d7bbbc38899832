import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** @param {string[]} path */
export const inRoot = (...path) => join(root, ...path)

/** @param {string} line */
export const say = (line) => console.log(`headgate: ${line}`)

/**
 * @param {string} file
 * @returns {any} the parsed file, or undefined if it is missing or is not JSON
 */
export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * One hash over the names and bytes of files and folders, those that `skip` names left out.
 * @param {string[]} paths relative to the checkout
 * @param {(path: string) => boolean} [skip]
 */
export function hashOf(paths, skip = () => false) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesUnder).filter((file) => !skip(file))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(inRoot(path)))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesUnder(path) {
  if (!existsSync(inRoot(path))) return []
  /** @type {import('node:fs').Dirent[]} */
  let entries
  try {
    entries = readdirSync(inRoot(path), { withFileTypes: true })
  } catch {
    return [path]
  }
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = `${path}/${entry.name}`
      return entry.isDirectory() ? filesUnder(child) : [child]
    })
}

/** @param {number} sinceMs */
export const secondsSince = (sinceMs) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
