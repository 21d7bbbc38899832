/** What a limiter tells besides its decisions. */
export interface Events {
  /** The memory store holds `maxKeys` live states: a new key can't be counted. At most once a second. */
  saturated: { readonly store: string; readonly maxKeys: number }
  /** The store can't be asked: decisions come from the fallback, or from nobody. */
  degraded: { readonly reason: string; readonly sinceMs: number }
  /** The store decides again. */
  recovered: { readonly reason: string; readonly durationMs: number; readonly fallbackAdmitted: number }
  /** Something is set up in a way that loses quota or safety; the message names the fix. */
  warning: { readonly code: string; readonly message: string }
}

export type Listener<E extends keyof Events> = (detail: Events[E]) => void

/** The smallest typed emitter: no Node module, no strings that don't exist. */
export class Emitter {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>()

  /** Calls `listener` on each `event`, until the function it returns is called. */
  on<E extends keyof Events>(event: E, listener: Listener<E>): () => void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners)
    // Wrapped, so that one function added twice is called twice and undone one at a time.
    const own: Listener<E> = (detail) => listener(detail)
    listeners.add(own)
    return () => {
      listeners.delete(own)
    }
  }

  /** A listener that throws costs no decision: its error surfaces by itself, as an EventTarget's does. */
  emit<E extends keyof Events>(event: E, detail: Events[E]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        ;(listener as Listener<E>)(detail)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
