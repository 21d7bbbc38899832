import process from 'node:process'
import { run } from './program.ts'

// `headgate … | head` closes the pipe: the reader has had enough, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

process.exitCode = await run(process.argv.slice(2), process)
