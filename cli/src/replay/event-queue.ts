import { type BatchSink, EventBatch } from './event-batch.ts'

/** Gathers requests one by one and hands them on by the batch. */
export class EventQueue {
  #full: EventBatch[] = []
  #last = new EventBatch()
  #spare: EventBatch | undefined

  push(timeMs: number, tag: number): void {
    if (this.#last.isFull) {
      this.#full.push(this.#last)
      this.#last = this.#spare ?? new EventBatch()
      this.#spare = undefined
    }
    this.#last.push(timeMs, tag)
  }

  /** Hands on what is full; at the end, all of it. */
  async drain(sink: BatchSink, isEnd = false): Promise<void> {
    const due = isEnd ? [...this.#full, this.#last] : this.#full
    this.#full = []
    for (const batch of due) {
      if (batch.size === 0) continue
      await sink(batch)
      batch.size = 0
      this.#spare = batch
    }
  }
}
