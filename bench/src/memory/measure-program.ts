import process from 'node:process'
import { measure } from './measure.ts'

/** One measurement in a process of its own: the task comes as JSON, the result leaves as JSON. */
const measured = await measure(JSON.parse(process.argv[2] ?? ''))
process.stdout.write(JSON.stringify(measured), () => {
  // Rivals keep timers; nothing is left to be done.
  process.exit()
})
