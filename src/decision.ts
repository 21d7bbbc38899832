/** What one policy says of one key. All from the same atomic result. */
export interface Numbers {
  /** Whole units: the policy's limit, capacity or burst. */
  readonly limit: number
  /** Whole units left, after the charge if there was one; never below 0. */
  readonly remaining: number
  /** Epoch milliseconds at which the whole quota is back if nothing more is charged; with nothing held, the instant of the decision. */
  readonly resetAtMs: number
}

/** What an admission and a denial have in common. */
export interface Decided<N extends string> extends Numbers {
  /** The policy that binds: the denying one with the longest wait, else the one with least left. Its numbers are this decision's. */
  readonly policy: N
  /** Epoch milliseconds, on the clock that decided. */
  readonly decidedAtMs: number
  /** Who decided. */
  readonly source: 'store' | 'denial-cache' | 'lease' | 'fallback'
  /** The numbers of every policy that applied, by name. */
  readonly each: { readonly [K in N]?: Numbers }
}

/** There is room, and it was charged (a `peek` and a cost of 0 charge nothing). */
export interface Admitted<N extends string = string> extends Decided<N> {
  readonly allowed: true
}

/** There is no room; nothing was charged. A denial is a value and never thrown. */
export interface Denied<N extends string = string> extends Decided<N> {
  readonly allowed: false
  /** `'limit'`: later; `'never'`: the cost is above the limit; `'outage'`: nobody could decide, and the outage policy is closed. */
  readonly reason: 'limit' | 'never' | 'outage'
  /** Epoch milliseconds: the first instant at which the same cost is admitted if nothing else comes. `Infinity` if never. */
  readonly retryAtMs: number
  /** From `decidedAtMs` to `retryAtMs`, in milliseconds. */
  readonly retryAfterMs: number
}

/** What a limiter answers: discriminated by `allowed`. */
export type Decision<N extends string = string> = Admitted<N> | Denied<N>
