import { say } from '../lib/checkout.mjs'
import { options, switches } from '../lib/options.mjs'
import { setUp } from '../lib/setup.mjs'

const HELP = `Usage: npm run build [-- --force]

Builds the library into dist/ and the command line into cli/dist/, after installing what that needs.

  --force   build even what is up to date
  --help    this text`

/** @param {string[]} args */
export async function main(args) {
  const { help, force } = options(args, switches('help', 'force'))
  if (help) return console.log(HELP)
  await setUp({ force: force === true })
  say('dist/ and cli/dist/ are up to date')
}
