import { Command } from 'commander'
import { ALGORITHM_NAMES } from '../config/policy-schema.ts'
import { boldOn, type Io } from '../io.ts'
import { planFrom, type ReplayOptions } from './plan.ts'
import { replay } from './replay.ts'
import { toText } from './report.ts'
import { toJson } from './report-json.ts'

const EXAMPLES = `
Which options an algorithm takes:
  fixed-window     --limit --window [--align epoch]
  sliding-window   --limit --window [--strict]
  sliding-log      --limit --window
  token-bucket     --capacity --refill --per
  gcra             --rate --per --burst
  leaky-bucket     --rate --per

Examples:
  headgate replay access.log --algorithm sliding-window --limit 100 --window 1m
  headgate replay access.log.1.gz --config headgate.yaml --policy api/user
  headgate replay access.json --algorithm gcra --rate 5 --per 1s --burst 10 \\
      --key request.headers.X-Api-Key --free 304
  headgate replay access.log --algorithm fixed-window --limit 20 --window 1m --compare
  cat *.log | headgate replay - --algorithm sliding-log --window 1m --suggest 1%
`

/** `headgate replay LOG`: what a policy would have done to the traffic in a log. */
export function replayCommand(io: Io): Command {
  const command = new Command('replay')
    .summary('what a policy would have done to the traffic in an access log')
    .description(
      'Puts every request of an access log through a policy, a quota for each key, at the time the log tells, and ' +
        'says how many it would have denied. Reads the Common and Combined Log Format, and JSON lines of nginx ' +
        "(by its variables' names), Caddy and pino-http; gzip or not.",
    )
    .argument('<log>', 'the log file, or - for standard input')
  return withPolicy(command)
    .option('--key <what>', 'whose quota: ip, path, ip+path, or a FIELD of JSON logs', 'ip')
    .option('--free <statuses>', 'answers that cost nothing, such as 304,404: their unit is given back')
    .option('--compare', 'all five algorithms side by side, at the average rate of the policy')
    .option('--suggest <share>', 'find the smallest limit that denies at most this share: 0.01 or 1%')
    .option('--of <what>', 'what --suggest is a share of: requests or keys (default: requests)')
    .option('--horizon <duration>', 'how far out of order in time the lines may be', '2m')
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action((path: string, options: ReplayOptions) => print(io, path, options))
}

function withPolicy(command: Command): Command {
  return command
    .option('--config <file>', 'a YAML file with policies, as headgate serve takes it')
    .option('--policy <name>', 'which of its policies: NAME, or LIMITER/NAME')
    .option('--algorithm <name>', `instead of a file: one of ${ALGORITHM_NAMES.join(', ')}`)
    .option('--limit <n>', 'units in a window')
    .option('--window <duration>', 'how long a window is: 500ms, 10s, 1m, 1h, 1d')
    .option('--capacity <n>', 'units a bucket holds')
    .option('--refill <n>', 'units a bucket gets back in each --per')
    .option('--rate <n>', 'units in each --per')
    .option('--per <duration>', 'the time of --rate or --refill')
    .option('--burst <n>', 'units that may come at once')
    .option(
      '--align <to>',
      'where a fixed window starts: first (its first request) or epoch (default: first)',
    )
    .option('--strict', 'the sliding window rounds against the client')
}

async function print(io: Io, path: string, options: ReplayOptions): Promise<void> {
  const plan = await planFrom(options)
  const result = await replay(io, path, plan)
  const log = path === '-' ? 'standard input' : path
  io.stdout.write(
    options.json ? `${toJson(log, plan, result)}\n` : toText(log, plan, result, boldOn(io.stdout)),
  )
}
