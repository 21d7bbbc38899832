// Every command starts here, on whatever Node the reader has: no syntax in this file or in its callers may be newer than
// Node 12, so that an old Node is told so in a sentence and not by a syntax error. All else is imported after the check.

import { readFileSync } from 'node:fs'

/** @typedef {{ main(args: string[]): unknown }} Command */

/** @param {() => Promise<Command>} load */
export function run(load) {
  const complaint = wrongNode(process.versions.node, neededNode())
  if (complaint) {
    console.error(complaint)
    process.exit(1)
  }
  load()
    .then((command) => command.main(process.argv.slice(2)))
    .catch(report)
}

function neededNode() {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return manifest.engines.node.replace('>=', '')
}

/**
 * @param {string} running
 * @param {string} needed
 */
function wrongNode(running, needed) {
  const have = running.split('.').map(Number)
  const want = needed.split('.').map(Number)
  const differs = want.findIndex((part, index) => have[index] !== part)
  if (differs === -1 || Number(have[differs]) > Number(want[differs])) return ''
  return `headgate: needs Node ${needed} or newer, and this is Node ${running}: install a newer one and run the command again.`
}

/** @param {Error & { expected?: boolean }} error */
function report(error) {
  console.error(error.expected ? `headgate: ${error.message}` : error)
  process.exitCode = 1
}
