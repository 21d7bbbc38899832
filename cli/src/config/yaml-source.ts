import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

/** Where something stands in a text; lines and columns count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface YamlFault extends Place {
  readonly message: string
}

/** A few aliases are a convenience; thousands of them are a bomb. */
const MAX_ALIASES = 100

/** A YAML text, its value, and where each part of the value stands. */
export class YamlSource {
  /** What can't be read as YAML; if there is any, there is no value. */
  readonly faults: readonly YamlFault[]
  readonly value: unknown
  readonly #lines = new LineCounter()
  readonly #document: Document.Parsed

  constructor(text: string) {
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, stringKeys: true })
    const { errors, warnings } = this.#document
    const faults = [...errors, ...warnings].map(({ code, message, pos }) => ({
      ...this.#at(pos[0]),
      message:
        code === 'MULTIPLE_DOCS' ? 'a second document begins here; a config is one' : sentence(message),
    }))
    const { value, fault } = faults.length > 0 ? { value: undefined, fault: undefined } : this.#read()
    this.value = value
    this.faults = fault === undefined ? faults : [{ line: 1, column: 1, message: fault }]
  }

  /** Where a value stands, or as much of the way to it as there is. */
  placeOf(path: readonly string[]): Place {
    return this.#at(startOf(this.#walk(path).node))
  }

  /** Where the name of a value stands. */
  placeOfName(path: readonly string[]): Place {
    const { node, key } = this.#walk(path)
    return this.#at(startOf(key ?? node))
  }

  #read(): { value: unknown; fault: string | undefined } {
    try {
      return { value: this.#document.toJS({ maxAliasCount: MAX_ALIASES }), fault: undefined }
    } catch (error) {
      return { value: undefined, fault: sentence(error instanceof Error ? error.message : String(error)) }
    }
  }

  #walk(path: readonly string[]): Found {
    let found: Found = { node: this.#document.contents, key: undefined }
    for (const name of path) {
      const next = step(isAlias(found.node) ? found.node.resolve(this.#document) : found.node, name)
      if (!next) break
      found = next
    }
    return found
  }

  #at(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
}

interface Found {
  readonly node: Node | null | undefined
  readonly key: Node | undefined
}

/** What a map holds under a name, or a list at a place. */
function step(parent: Node | null | undefined, name: string): Found | undefined {
  if (isSeq<Node>(parent)) return { node: parent.items[Number(name)], key: undefined }
  if (!isMap<Node, Node | null>(parent)) return undefined
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
  // An empty value has no place of its own.
  return pair && { node: pair.value ?? pair.key, key: pair.key }
}

function startOf(node: Node | null | undefined): number {
  return node?.range?.[0] ?? 0
}

/** The parser's own words, as one sentence. */
function sentence(message: string): string {
  const [first = ''] = message.split('\n')
  return `this is not YAML that can be read: ${first.trim().replace(/\.$/, '')}`
}
