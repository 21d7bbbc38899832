/** A typed array of twice the length that begins as `from` does. */
export function enlarged<T extends Float64Array | Uint32Array>(from: T): T {
  const to = new (from.constructor as new (length: number) => T)(from.length * 2)
  to.set(from)
  return to
}
