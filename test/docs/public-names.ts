import { join } from 'node:path'
import ts from 'typescript'
import { root } from './pages.ts'
import { compilerOptions } from './type-check.ts'

/** What an entry point exports, types included, as a user's compiler sees it. */
export class PublicNames {
  readonly #checker: ts.TypeChecker
  readonly #modules: ReadonlyMap<string, ts.Symbol>

  constructor(entryPoints: readonly string[]) {
    const file = join(root, 'public-names.ts')
    const text = entryPoints.map((name) => `import '${name}'`).join('\n')
    const options = compilerOptions()
    const host = ts.createCompilerHost(options)
    const { getSourceFile, fileExists } = host
    host.fileExists = (name) => name === file || fileExists(name)
    host.getSourceFile = (name, version, ...rest) =>
      name === file ? ts.createSourceFile(name, text, version) : getSourceFile(name, version, ...rest)
    const program = ts.createProgram([file], options, host)
    this.#checker = program.getTypeChecker()
    const imports = program.getSourceFile(file)?.statements.filter(ts.isImportDeclaration) ?? []
    this.#modules = new Map(
      imports.flatMap(({ moduleSpecifier }, i) => {
        const module = this.#checker.getSymbolAtLocation(moduleSpecifier)
        return module ? [[String(entryPoints[i]), module]] : []
      }),
    )
  }

  of(entryPoint: string): string[] {
    return this.#exports(entryPoint).map(({ name }) => name)
  }

  /** The words of an exported type that is a union of texts. */
  wordsOf(entryPoint: string, typeName: string): string[] {
    const symbol = this.#exports(entryPoint).find(({ name }) => name === typeName)
    if (!symbol) throw new Error(`${entryPoint} exports no ${typeName}`)
    const aliased = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol
    const type = this.#checker.getDeclaredTypeOfSymbol(aliased)
    return (type.isUnion() ? type.types : [type]).flatMap((one) => (one.isStringLiteral() ? [one.value] : []))
  }

  #exports(entryPoint: string): ts.Symbol[] {
    const module = this.#modules.get(entryPoint)
    if (!module) throw new Error(`there is no module ${entryPoint}`)
    return this.#checker.getExportsOfModule(module)
  }
}
