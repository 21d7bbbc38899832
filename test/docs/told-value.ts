/** What a comment tells of a value: an object of which some fields are told, or a text. */
type Told = { readonly open: boolean; readonly fields: ReadonlyMap<string, Told> } | string

/** How wide a line of a comment may be. */
const WIDTH = 100

/**
 * A value as a comment tells it. The comment that stands there says how much: behind `…` there is more, and `'hg1.…'` is how a text begins.
 */
export function tell(value: unknown, comment: string): string {
  return render(value, read(comment))
}

/** The same, a field a line; what is still too wide for one has lines of its own. */
export function tellInLines(value: unknown, comment: string): string[] {
  return broken(value, read(comment))
}

function broken(value: unknown, told: Told | undefined): string[] {
  if (!isRecord(value)) return [render(value, told)]
  const fields = namesOf(value, told).flatMap((name) => {
    const [own, toldOfIt] = [value[name], fieldsOf(told)?.get(name)]
    const line = `${name}: ${render(own, toldOfIt)},`
    if (line.length <= WIDTH || !isRecord(own)) return [line]
    const [first, ...rest] = broken(own, toldOfIt)
    return [`${name}: ${first}`, ...rest.slice(0, -1), '},']
  })
  return ['{', ...[...fields, ...more(told)].map((line) => `  ${line}`), '}']
}

function render(value: unknown, told: Told | undefined): string {
  if (typeof value === 'string') return text(value, told)
  if (typeof value === 'number') return count(value)
  if (Array.isArray(value)) return `[${value.map((one) => render(one, undefined)).join(', ')}]`
  if (!isRecord(value)) return String(value)
  const fields = namesOf(value, told).map(
    (name) => `${name}: ${render(value[name], fieldsOf(told)?.get(name))}`,
  )
  const all = [...fields, ...more(told)]
  return all.length > 0 ? `{ ${all.join(', ')} }` : '{}'
}

function fieldsOf(told: Told | undefined): ReadonlyMap<string, Told> | undefined {
  return typeof told === 'object' ? told.fields : undefined
}

/** The fields that are told: all of them, unless there are more. */
function namesOf(value: object, told: Told | undefined): string[] {
  if (typeof told !== 'object' || !told.open) return Object.keys(value)
  return [...told.fields.keys()].filter((name) => name in value)
}

function more(told: Told | undefined): string[] {
  return typeof told === 'object' && told.open ? ['…'] : []
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function text(value: string, told: Told | undefined): string {
  const start = typeof told === 'string' ? /^'(.*)…'$/.exec(told)?.[1] : undefined
  if (start !== undefined && value.startsWith(start)) return String(told)
  return `'${value.replaceAll("'", "\\'")}'`
}

function count(value: number): string {
  const [whole = '', ...fraction] = String(value).split('.')
  return [whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, '_') : whole, ...fraction].join('.')
}

function read(comment: string): Told {
  return new Reader(comment).value()
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): Told {
    this.#skip(/\s*/y)
    return this.#text[this.#at] === '{' ? this.#object() : this.#plain()
  }

  #object(): Told {
    const fields = new Map<string, Told>()
    let open = false
    this.#at += 1
    for (;;) {
      this.#skip(/[\s,]*/y)
      const name = this.#skip(/(\w+)\s*:/y)
      if (name) fields.set(String(name[1]), this.value())
      else if (this.#skip(/…/y)) open = true
      else break
    }
    this.#skip(/\}/y)
    return { open, fields }
  }

  #plain(): string {
    const found = this.#skip(/(?:'(?:\\.|[^'])*'|\[[^\]]*\]|[^,{}'[\]])*/y)
    return found ? found[0].trim() : ''
  }

  #skip(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at += found[0].length
    return found
  }
}
