import process from 'node:process'
import { flood } from './flood.ts'

/** A flood in a process of its own, so that its memory is nobody else's. */
process.stdout.write(JSON.stringify(flood(JSON.parse(process.argv[2] ?? ''))))
