import { slidingWindow } from 'headgate'
import { type Config, configOf } from '../config/config.ts'

/** What the service decides with when nobody told it otherwise: what most public interfaces want. */
export const builtInConfig: Config = configOf({ default: slidingWindow({ limit: 100, window: '1m' }) })
