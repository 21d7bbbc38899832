import { pathToFileURL } from 'node:url'
import { inRoot } from '../lib/checkout.mjs'
import { setUp } from '../lib/setup.mjs'

const PARENT_POLL_MS = 500

/**
 * Becomes the service, in this process: the signals that end it reach the one that must drain.
 * @param {string[]} args for `headgate serve`
 */
export async function main(args) {
  if (process.env['npm_lifecycle_event'] === 'start') endWithNpm()
  await setUp()
  const command = inRoot('cli/bin/headgate.js')
  process.argv = [process.execPath, command, 'serve', ...args]
  await import(pathToFileURL(command).href)
}

/** A killed npm tells its script nothing: without this the service would go on and keep the port from the next `npm start`. */
function endWithNpm() {
  const npm = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_POLL_MS)
  watch.unref()
}
