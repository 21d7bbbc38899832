import ts from 'typescript'
import type { Program } from './programs.ts'

/** A comment that tells what a statement comes to: `// => value`, or `// throws CODE`. */
export interface Telling {
  readonly kind: '=>' | 'throws'
  readonly line: number
  /** The line after its last. */
  readonly end: number
  readonly column: number
  /** What it says, its lines joined. */
  readonly says: string
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** A program that reports to `docs` what its statements come to, as JavaScript for an async function. */
export interface Instrumented {
  readonly code: string
  readonly tellings: readonly Telling[]
}

export function instrument(program: Program): Instrumented {
  const source = ts.createSourceFile(`${program.name}.ts`, program.text, ts.ScriptTarget.ES2023, true)
  const lines = program.text.split('\n')
  const tellings: Telling[] = []
  const edits: Edit[] = program.blocks.map(({ first }, i) => insert(source, first, `docs.block(${i}); `))
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      edits.push(replace(statement, loading(statement)))
      continue
    }
    const telling = tellingAfter(source, lines, statement)
    if (!telling) continue
    edits.push(...reporting(statement, telling, tellings.length))
    tellings.push(telling)
  }
  refuseLoose(program, lines, tellings)
  return { code: javascript(edited(program.text, edits)), tellings }
}

function tellingAfter(
  source: ts.SourceFile,
  lines: readonly string[],
  statement: ts.Statement,
): Telling | undefined {
  const { line, character } = source.getLineAndCharacterOfPosition(statement.getEnd())
  const rest = lines[line]?.slice(character) ?? ''
  const here = readTelling(lines, line, character)
  return here ?? (rest.trim() === '' ? readTelling(lines, line + 1, 0) : undefined)
}

function readTelling(lines: readonly string[], line: number, from: number): Telling | undefined {
  const found = /^(\s*)\/\/ (=>|throws)(.*)$/.exec(lines[line]?.slice(from) ?? '')
  if (!found) return undefined
  const [, space = '', kind, says = ''] = found
  let end = line + 1
  const more: string[] = []
  while (says.trim() === '{' && more.at(-1) !== '}') {
    const next = /^\/\/ (.*)$/.exec(lines[end] ?? '')?.[1]
    if (next === undefined) break
    more.push(next)
    end += 1
  }
  return {
    kind: kind as Telling['kind'],
    line,
    end,
    column: from + space.length,
    says: [says.trim(), ...more].join('\n'),
  }
}

/** A comment that no statement owns would be believed and never checked. */
function refuseLoose(program: Program, lines: readonly string[], tellings: readonly Telling[]): void {
  lines.forEach((line, n) => {
    if (!/\/\/ (=>|throws)/.test(line) || tellings.some((one) => n >= one.line && n < one.end)) return
    throw new Error(`${program.name}: the comment in line ${n + 1} tells of no statement of the top level`)
  })
}

function reporting(statement: ts.Statement, { kind }: Telling, index: number): Edit[] {
  if (kind === 'throws') {
    return [replace(statement, `await docs.throws(${index}, async () => { ${statement.getText()} });`)]
  }
  if (ts.isExpressionStatement(statement)) {
    return [replace(statement, `docs.value(${index}, (${statement.expression.getText()}));`)]
  }
  const name = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0]?.name : undefined
  if (!name || !ts.isIdentifier(name)) {
    throw new Error(`only an expression or a variable has a value to tell: ${statement.getText()}`)
  }
  return [{ from: statement.getEnd(), to: statement.getEnd(), text: `; docs.value(${index}, ${name.text});` }]
}

/** An import as what an async function can do. */
function loading({ importClause, moduleSpecifier }: ts.ImportDeclaration): string {
  if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) return ''
  const module = `await docs.load(${moduleSpecifier.getText()})`
  const bindings = importClause?.namedBindings
  if (!bindings) return `${module};`
  if (ts.isNamespaceImport(bindings)) return `const ${bindings.name.text} = ${module};`
  const names = bindings.elements
    .filter((element) => !element.isTypeOnly)
    .map(({ propertyName, name }) => (propertyName ? `${propertyName.getText()}: ${name.text}` : name.text))
  return `const { ${names.join(', ')} } = ${module};`
}

function javascript(text: string): string {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  })
  return outputText.replace(/^export \{\};$/m, '')
}

function insert(source: ts.SourceFile, line: number, text: string): Edit {
  const at = source.getPositionOfLineAndCharacter(line, 0)
  return { from: at, to: at, text }
}

function replace(node: ts.Node, text: string): Edit {
  return { from: node.getStart(), to: node.getEnd(), text }
}

function edited(text: string, edits: readonly Edit[]): string {
  // From the end, so that what stands before keeps its place; an insertion goes before what begins where it stands.
  const last = edits.map((edit, i) => ({ edit, i })).sort((a, b) => b.edit.from - a.edit.from || b.i - a.i)
  return last.reduce(
    (result, { edit }) => result.slice(0, edit.from) + edit.text + result.slice(edit.to),
    text,
  )
}
