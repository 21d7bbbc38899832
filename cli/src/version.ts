import { readFileSync } from 'node:fs'

/** One level up from here, in the sources as in the build. */
const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The version of this command line, as its package says. */
export const version: string = versionOf(manifest)

function versionOf(from: unknown): string {
  const found = typeof from === 'object' && from !== null && 'version' in from ? from.version : undefined
  return typeof found === 'string' ? found : 'unknown'
}
