import { isDeepStrictEqual } from 'node:util'
import { describe, it } from 'vitest'
import { limitOf, type PolicySpec, reported } from './oracle/index.ts'
import { type Event, played, type Trace } from './support/play.ts'
import {
  alike,
  buckets,
  composed,
  fixedWindows,
  oneOf,
  slidingLogs,
  slidingWindows,
} from './support/random-policies.ts'
import { EVERYTHING, traces } from './support/random-traces.ts'
import { answerOf, Replay } from './support/replay.ts'
import { holds } from './support/runs.ts'
import { memorySubject, type Subject } from './support/subject.ts'
import { tell } from './support/tell.ts'

/** Asks for more than there can be, for more than there is, and for nothing; all of them at the instant and of the keys of the event. */
async function bother(subject: Subject, { nowMicros, keys, policies }: Event): Promise<void> {
  await subject.setMs(reported(nowMicros))
  const limit = Math.min(...Object.keys(keys).map((name) => limitOf(policies[name] as PolicySpec)))
  await subject.take(keys, { cost: limit + 1, policies })
  await subject.peek(keys, { cost: 1, policies })
  await subject.take(keys, { cost: 0, policies })
  const { remaining } = await subject.peek(keys, { cost: Math.max(1, limit), policies })
  const more = Math.max(1, remaining + 1)
  if (!(await subject.peek(keys, { cost: more, policies })).allowed)
    await subject.take(keys, { cost: more, policies })
}

/** Law 3: a trace with denied checks before each call is answered as the trace without them. */
async function unseen(trace: Trace): Promise<void> {
  const events = await played(trace)
  const subject = memorySubject(trace.policies)
  const replay = new Replay(subject)
  for (const event of events) {
    await bother(subject, event)
    const answer = await replay.again(event)
    if (!isDeepStrictEqual(answer, answerOf(event))) {
      throw new Error(`with denials before it, this was answered ${JSON.stringify(answer)}:\n${tell(event)}`)
    }
  }
  await subject.close()
}

describe('a denied check, a peek and a cost of 0 change nothing that can be seen', () => {
  const singles = { fixedWindows, slidingWindows, slidingLogs, buckets }
  for (const [name, policies] of Object.entries(singles)) {
    it(name, () => holds(traces(oneOf(policies), EVERYTHING, 12), unseen))
  }

  it('composed policies', () => holds(traces(composed(), EVERYTHING, 12), unseen))

  it('composed policies that are nearly alike', () => holds(traces(alike, EVERYTHING, 12), unseen))
})
