import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What is still held once all garbage is gone. */
export function heapBytes(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
