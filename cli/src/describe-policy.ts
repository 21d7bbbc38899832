import type { Policy } from 'headgate'
import { showCount, showDuration } from './text.ts'

/** A policy's numbers in words: `100 per 1m`, `bursts of 20, then 20 per 1m`. */
export function describePolicy(policy: Policy): string {
  const limit = showCount(policy.limit)
  const isBucket = policy.algorithm === 'token-bucket' || policy.algorithm === 'gcra'
  if (!Number.isFinite(policy.windowMs)) return `${limit} in all, never refilled`
  if (!isBucket) return `${limit} per ${showDuration(policy.windowMs)}`
  const refill = `${limit} per ${showDuration(policy.windowMs)}`
  return policy.limit === 1 ? `${refill}, no bursts` : `bursts of ${limit}, refilled at ${refill}`
}
