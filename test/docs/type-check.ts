import { join } from 'node:path'
import ts from 'typescript'
import { root } from './pages.ts'
import type { Program } from './programs.ts'

/** The options of this checkout, for code that is no file. What a reader's eye needs may stay unused. */
export function compilerOptions(): ts.CompilerOptions {
  const { config, error } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'))
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root)
  return { ...options, noUnusedLocals: false, noUnusedParameters: false }
}

/** What the compiler has against programs: `page:line message`. */
export function complaintsOf(programs: readonly Program[]): string[] {
  const options = compilerOptions()
  // In the root, so that imports are found as they are from any file of this checkout.
  const files = new Map(
    programs.map((program) => [join(root, `${program.name.replaceAll('/', '~')}.ts`), program]),
  )
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name)?.text ?? readFile(name)
  host.getSourceFile = (name, ...rest) => {
    const program = files.get(name)
    if (!program) return getSourceFile(name, ...rest)
    const [languageVersion] = rest
    return ts.createSourceFile(name, `${program.text}\nexport {}`, languageVersion)
  }
  const compiled = ts.createProgram([...files.keys()], options, host)
  return [...files.keys()].flatMap((name) => {
    const source = compiled.getSourceFile(name)
    const found = [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)]
    return found.map((one) => complaint(one, files.get(name)))
  })
}

function complaint({ file, start, messageText }: ts.Diagnostic, program: Program | undefined): string {
  const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
  return `${program?.name.replace(/#\d+$/, '')}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
}
