/** One number for each slot, at an index that follows from the slot's. */
type Column = Float64Array | Int32Array

/**
 * A column that has an index: the same one, or a longer copy. It grows by an eighth, for the numbers of a million keys must not take the
 * room of two; by then a copy is one move of memory.
 */
export function reaching<C extends Column>(column: C, index: number): C {
  if (index < column.length) return column
  const longer = new (column.constructor as new (length: number) => C)(index + (index >> 3) + 16)
  longer.set(column)
  return longer
}
