import { run } from './lib/entry.mjs'

run(() => import('./commands/setup.mjs'))
