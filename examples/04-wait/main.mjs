import { Limiter, leakyBucket, WaitError } from 'headgate'

// Five a second, one at a time: for something downstream that hates spikes.
const limiter = new Limiter({ policy: leakyBucket({ rate: 5, per: '1s' }) })
const start = performance.now()

const jobs = ['a', 'b', 'c', 'd'].map(async (job) => {
  await limiter.wait('downstream')
  console.log(`job ${job} runs`)
})

await jobs[0] // the first has nobody before it

// Three are in line before this one. It can't run within 50 ms, and is told so at once.
await limiter.wait('downstream', { maxWaitMs: 50 }).catch((error) => {
  if (!(error instanceof WaitError)) throw error
  console.log(`impatient job: ${error.code}`)
})

// This one stands in line until it is called off. Nothing is charged for it.
const calledOff = new AbortController()
const waiting = limiter.wait('downstream', { signal: calledOff.signal })
calledOff.abort(new Error('no longer needed'))
await waiting.catch((error) => console.log(`called off: ${error.message}`))

await Promise.all(jobs)
console.log(`not faster than the rate: ${performance.now() - start >= 599}`)
