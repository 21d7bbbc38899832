/** Keys as small numbers, so that counts by key stand in arrays: a log may hold millions of them. */
export class KeyIndex {
  readonly #ids = new Map<string, number>()
  readonly #keys: string[] = []

  get size(): number {
    return this.#keys.length
  }

  /** The number that stands for a key, given out in order. */
  idOf(key: string): number {
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#keys.length
    this.#ids.set(key, id)
    this.#keys.push(key)
    return id
  }

  keyOf(id: number): string {
    return this.#keys[id] ?? ''
  }
}
