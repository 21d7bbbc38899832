import { fixedWindow, Limiter } from 'headgate'

const limiter = new Limiter({ name: 'tokens', policy: fixedWindow({ limit: 1_000, window: '1h' }) })
const left = async () => (await limiter.peek('tenant:7')).remaining

/** A handler that learns what it cost when it is done. */
async function handle(name, reserved, work) {
  const reservation = await limiter.reserve('tenant:7', { cost: reserved })
  if (!reservation.decision.allowed) {
    return console.log(`${name}: denied, ${await left()} left`)
  }
  console.log(`${name}: ${reserved} reserved, ${await left()} left`)
  await work(reservation)
  console.log(`${name}: done, ${await left()} left`)
}

await handle('answer from the cache', 100, (reservation) => reservation.refund())
await handle('short answer', 400, (reservation) => reservation.settle(150))
await handle('long answer', 400, (reservation) => reservation.settle(550))
await handle('large answer', 400, () => {})

// A receipt outlives the reservation: a job that comes later gives back what was charged for it.
const { receipt } = await limiter.reserve('tenant:7', { cost: 300 })
console.log(`job queued, ${await left()} left`)
console.log(`job cancelled, ${await limiter.refund(receipt)} came back, ${await left()} left`)
console.log(`once more: ${await limiter.refund(receipt)} came back`)
