import { say, secondsSince } from '../lib/checkout.mjs'
import { options, switches } from '../lib/options.mjs'
import { setUp } from '../lib/setup.mjs'
import { steps } from '../lib/steps.mjs'
import { runTests } from '../lib/test-runner.mjs'
import { Trouble } from '../lib/trouble.mjs'

/** @typedef {import('../lib/test-runner.mjs').Tally} Tally */

const TESTS = 'tests'
const HELP = `Usage: npm test [-- --only NAME[,NAME …]] [-- VITEST-OPTIONS]
       npm run test:long [-- -- VITEST-OPTIONS]

Installs what it needs, then runs every check and every test, and says all that failed.

  --only NAMES   of these alone:
${[...steps, { name: TESTS, about: 'Vitest, all projects' }].map(({ name, about }) => `                   ${name.padEnd(8)} ${about}`).join('\n')}
  --long         the random tests alone, 20,000 runs each (HEADGATE_RUNS sets another number)
  --help         this text

What follows a further -- goes to Vitest:  npm test -- --only tests -- --project unit -t refund
A random test that fails prints its seed:  HEADGATE_SEED=123 npm test -- --only tests`

/** @param {string[]} args */
export async function main(args) {
  const { help, long, only, forVitest } = parse(args)
  if (help) return console.log(HELP)
  await setUp({ build: false })

  const failed = long ? [] : await check(steps.filter(({ name }) => only.includes(name)))
  if (long || only.includes(TESTS)) {
    const tally = long ? await longRun(forVitest) : await runTests(forVitest)
    if (tally.passed + tally.failed === 0) say('no test ran: nothing has the name that was asked for')
    if (tally.failed > 0 || tally.passed === 0) failed.push(TESTS)
    if (failed.length > 0) say(`failed: ${failed.join(', ')}`)
    tell('Tests', tally)
  }
  process.exitCode = failed.length > 0 ? 1 : 0
}

/**
 * @param {import('../lib/steps.mjs').Step[]} chosen
 * @returns {Promise<string[]>} the names of those that failed
 */
async function check(chosen) {
  /** @type {string[]} */
  const failed = []
  for (const { name, run } of chosen) {
    const startedMs = performance.now()
    const { wrong, note = '' } = await run().catch((error) => ({
      wrong: error.expected ? error.message : error.stack,
      note: '',
    }))
    console.log(
      `${wrong === undefined ? 'ok  ' : 'FAIL'}  ${name.padEnd(8)} ${secondsSince(startedMs).padStart(7)}  ${note}`.trimEnd(),
    )
    if (wrong === undefined) continue
    failed.push(name)
    console.log(wrong.trim().replace(/^/gm, '      '))
  }
  if (chosen.length > 0)
    tell('Checks', { passed: chosen.length - failed.length, failed: failed.length, skipped: 0 })
  return failed
}

/** @param {string[]} forVitest */
function longRun(forVitest) {
  const runs = process.env['HEADGATE_RUNS'] ?? '20000'
  say(`random tests, ${runs} runs each`)
  const args = ['--project', 'promises', 'test/model', ...forVitest]
  return runTests(args, { env: { HEADGATE_RUNS: runs }, patienceMinutes: 24 * 60 })
}

/**
 * @param {string} what
 * @param {Tally} tally
 */
function tell(what, { passed, failed, skipped }) {
  console.log(`${what}: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
}

/** @param {string[]} args */
function parse(args) {
  const all = [...steps.map(({ name }) => name), TESTS]
  const split = args.includes('--') ? args.indexOf('--') : args.length
  const {
    help,
    long,
    only = all.join(),
  } = options(args.slice(0, split), { ...switches('help', 'long'), only: { type: 'string' } })
  const chosen = String(only).split(',')
  const unknown = chosen.find((name) => !all.includes(name))
  if (unknown !== undefined)
    throw new Trouble(`there is no check '${unknown}': --only takes ${all.join(', ')}.`)
  return { help, long, only: chosen, forVitest: args.slice(split + 1) }
}
