import { Judge } from './judge.ts'
import { play, type Trace } from './play.ts'
import { memorySubject } from './subject.ts'
import { tell } from './tell.ts'

/** Plays a trace; every field of every decision, and every refund, must be what the oracle says. */
export async function agrees(trace: Trace): Promise<void> {
  const judge = new Judge(trace.steps.some(({ move }) => move.to === 'back' || move.to === 'before-charge'))
  const story: string[] = []
  await play(memorySubject(trace.policies), trace, (event) => {
    story.push(tell(event))
    const wrong = judge.differences(event)
    if (wrong.length > 0) throw new Error(`${wrong.join('\n')}\nafter\n${story.join('\n')}`)
  })
}
