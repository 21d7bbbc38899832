// What the library takes from the platform: the part that Node, Bun, Deno, workers and browsers agree on.

declare const performance: { now(): number }
declare const crypto: { randomUUID(): string }

declare function setTimeout(callback: () => void, delayMs: number): unknown
declare function clearTimeout(handle: unknown): void
declare function queueMicrotask(callback: () => void): void
declare function structuredClone<T>(value: T): T
declare function btoa(binary: string): string
declare function atob(base64: string): string

interface AbortSignal {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

declare class AbortController {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
}
