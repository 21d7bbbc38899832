/** What a command has to say when it is done. */
export interface Said {
  readonly text: string
  /** Where `results` are to be written, as JSON. */
  readonly file?: string | undefined
  readonly results?: object
}

/** A slip of the pen: told in its one sentence, without a stack. */
export class UsageError extends Error {}

/** Whole numbers in a range, with commas between. @throws UsageError */
export function wholeNumbers(option: string, text: string, min: number, max: number): number[] {
  return text.split(',').map((part) => {
    const value = /^\d+$/.test(part) ? Number(part) : Number.NaN
    if (value >= min && value <= max) return value
    throw new UsageError(
      `--${option} takes whole numbers from ${min} to ${max} with commas between; there stands ${JSON.stringify(part)}.`,
    )
  })
}

/** Those of a list whose names have one of the wanted texts in them. @throws UsageError where one is in none. */
export function namesOf<T extends { readonly name: string }>(
  option: string,
  text: string,
  all: readonly T[],
): T[] {
  const wanted = text.split(',')
  const missing = wanted.find((part) => !all.some(({ name }) => name.includes(part)))
  if (missing === undefined) return all.filter(({ name }) => wanted.some((part) => name.includes(part)))
  throw new UsageError(
    `--${option} takes parts of these names: ${all.map(({ name }) => name).join(', ')}; ${JSON.stringify(missing)} is in none.`,
  )
}
