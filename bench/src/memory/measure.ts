import process from 'node:process'
import { type Contender, contenderNamed, type Session } from './contenders.ts'
import { distinctKeys, eachOnce, scattered } from './keys.ts'

/** What one process measures. */
export interface Task {
  readonly contender: string
  readonly keys: number
  /** How many decisions are timed at a time. */
  readonly chunk: number
  readonly chunks: number
}

export interface Measured {
  /** Retained after garbage collection, for each key that is held; the keys' own texts are the caller's. */
  readonly bytesPerKey: number
  readonly admittedNs: number
  readonly deniedNs: number
}

/** Far above what any key is asked, and what a log can have at most. */
const NEVER_REACHED = 1_000_000

/** @throws Error if a contender does not decide what it must: then its figures would be of something else. */
export async function measure({ contender: name, keys: count, chunk, chunks }: Task): Promise<Measured> {
  const contender = contenderNamed(name)
  const keys = distinctKeys(count)
  const once = eachOnce(count)
  const orders = Array.from({ length: chunks + 1 }, (_, i) => scattered(chunk, count, 1 + i))

  const admitted = await measureAdmitted(contender, keys, once, orders)
  const deniedNs = await measureDenied(contender, keys, once, orders)
  return { ...admitted, deniedNs }
}

async function measureAdmitted(
  contender: Contender,
  keys: readonly string[],
  once: Int32Array,
  orders: readonly Int32Array[],
): Promise<{ readonly bytesPerKey: number; readonly admittedNs: number }> {
  const before = retainedBytes()
  const session = contender.start(NEVER_REACHED)
  await expectAdmitted(contender, session, keys, once, once.length)
  const bytesPerKey = (retainedBytes() - before) / keys.length
  const admittedNs = await nsPerDecision(orders, (order) =>
    expectAdmitted(contender, session, keys, order, order.length),
  )
  return { bytesPerKey, admittedNs }
}

async function measureDenied(
  contender: Contender,
  keys: readonly string[],
  once: Int32Array,
  orders: readonly Int32Array[],
): Promise<number> {
  const session = contender.start(1)
  await expectAdmitted(contender, session, keys, once, once.length)
  return nsPerDecision(orders, (order) => expectAdmitted(contender, session, keys, order, 0))
}

async function expectAdmitted(
  { name }: Contender,
  session: Session,
  keys: readonly string[],
  order: Int32Array,
  wanted: number,
): Promise<void> {
  const admitted = await session.run(keys, order)
  if (admitted !== wanted)
    throw new Error(`${name} admitted ${admitted} of ${order.length}; it must admit ${wanted}`)
}

/**
 * The median over the chunks; the first of them is to warm up. In processor time of the whole process, so that what others do on the
 * machine counts little, and what the collector does for this contender counts, on whichever thread.
 */
async function nsPerDecision(
  orders: readonly Int32Array[],
  run: (order: Int32Array) => Promise<void>,
): Promise<number> {
  const samples: number[] = []
  for (const order of orders) {
    const start = process.cpuUsage()
    await run(order)
    const { user, system } = process.cpuUsage(start)
    samples.push(((user + system) * 1000) / order.length)
  }
  return samples.slice(1).sort((a, b) => a - b)[(samples.length - 1) >> 1] as number
}

/** What is alive, in the heap and in typed arrays outside it. */
function retainedBytes(): number {
  const { gc } = globalThis
  if (!gc) throw new Error('bytes can be measured only with node --expose-gc')
  for (let i = 0; i < 3; i++) gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
