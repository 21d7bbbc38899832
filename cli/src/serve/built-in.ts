import { type Policies, slidingWindow } from 'headgate'

/** What the service decides with when nobody told it otherwise: what most public interfaces want. */
export const builtInPolicies: Policies = { default: slidingWindow({ limit: 100, window: '1m' }) }
