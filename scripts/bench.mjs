import { run } from './lib/entry.mjs'

run(() => import('./commands/bench.mjs'))
