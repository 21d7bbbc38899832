import { options, switches } from '../lib/options.mjs'
import { setUp } from '../lib/setup.mjs'

const HELP = `Usage: node scripts/setup.mjs [--no-build]

Installs what package-lock.json says and builds the library and the command line, each only if it is not there.
npm start, npm test and npm run build do this by themselves.

  --no-build   install only
  --help       this text`

/** @param {string[]} args */
export async function main(args) {
  const { help, 'no-build': without } = options(args, switches('help', 'no-build'))
  if (help) return console.log(HELP)
  await setUp({ build: without !== true })
}
