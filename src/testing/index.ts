export { type Runner, storeConformance } from './conformance.ts'
export { FaultyStore } from './faulty-store.ts'
export { ManualClock } from './manual-clock.ts'
