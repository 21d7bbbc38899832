import { Command } from 'commander'
import { durationOption } from '../duration-option.ts'
import { boldOn, type Io } from '../io.ts'
import { type Content, contentOf, nothingRead, refuseUnreadable, withoutMark } from './content.ts'
import { openLog } from './log-source.ts'
import { algorithms, type PolicyOptions, policyFromOptions } from './policy-options.ts'
import { Progress } from './progress.ts'
import { Replay, type ReplayOptions, type ReplayTotals } from './replay.ts'
import { toJson, toText } from './report.ts'

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
  headgate replay access.log --algorithm token-bucket --capacity 20 --refill 20 --per 1m
  headgate replay access.log --algorithm gcra --rate 5 --per 1s --burst 10 --json
  gunzip -c access.log.1.gz | headgate replay - --algorithm fixed-window --limit 20 --window 1m
`

interface Options extends PolicyOptions {
  readonly horizon: string
  readonly json?: boolean
}

/** `headgate replay LOG`: what a policy would have done to the traffic in a log. */
export function replayCommand(io: Io): Command {
  return new Command('replay')
    .summary('what a policy would have done to the traffic in an access log')
    .description(
      'Puts every request of an access log through a policy, a quota for each remote host, at the time the log tells, ' +
        'and says how many it would have denied. Reads the Common and Combined Log Format.',
    )
    .argument('<log>', 'the log file, or - for standard input')
    .option('--algorithm <name>', `one of ${algorithms.join(', ')}`)
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
    .option('--horizon <duration>', 'how far out of order in time the lines may be', '2m')
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action((path: string, options: Options) => replay(io, path, options))
}

async function replay(io: Io, path: string, options: Options): Promise<void> {
  const policy = policyFromOptions(options)
  const totals = await replayLog(io, path, { policy, horizonMs: durationOption('horizon', options.horizon) })
  const replayed = { log: path === '-' ? 'standard input' : path, options, policy, totals }
  io.stdout.write(options.json ? `${toJson(replayed)}\n` : toText(replayed, boldOn(io.stdout)))
}

async function replayLog(io: Io, path: string, options: ReplayOptions): Promise<ReplayTotals> {
  const source = await openLog(path, io.stdin)
  const replay = new Replay(options)
  const progress = new Progress(io.stderr, source.bytes)
  let bytes = 0
  let content: Content = 'text'
  try {
    for await (const chunk of source.chunks()) {
      if (bytes === 0) {
        content = contentOf(chunk)
        refuseUnreadable(source.name, content)
      }
      replay.push(bytes === 0 ? withoutMark(chunk) : chunk)
      bytes += chunk.length
      progress.update(bytes, replay.requests)
    }
  } finally {
    progress.clear()
  }
  const totals = replay.end()
  if (totals.requests === 0) throw nothingRead(source.name, bytes, content, totals.firstSkipped)
  return totals
}
