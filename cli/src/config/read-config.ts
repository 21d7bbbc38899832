import { readFile } from 'node:fs/promises'
import { Failure, systemReason } from '../failure.ts'
import { printable } from '../text.ts'
import { checkConfig } from './check-config.ts'
import { type Config, type DeclaredPolicies, policiesOf } from './config.ts'
import { type YamlFault, YamlSource } from './yaml-source.ts'

/** Far more than anyone writes by hand. */
const MAX_BYTES = 1 << 20

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The policies and limiters of a YAML file; a `Failure` lists all that is wrong with it, with file, line, column and rule. */
export async function readConfig(file: string): Promise<Config> {
  return parseConfig(file, await readText(file))
}

/** The policies of a YAML file by name; those of a limiter as `limiter/policy`. */
export async function readPolicies(file: string): Promise<DeclaredPolicies> {
  return policiesOf(await readConfig(file))
}

/** What `readConfig` does, with the text at hand; `file` is for the errors. */
export function parseConfig(file: string, text: string): Config {
  const source = new YamlSource(text)
  if (source.faults.length > 0) throw refused(file, source.faults)
  if (source.value === null || source.value === undefined) {
    throw refused(file, [
      { line: 1, column: 1, message: 'the file is empty; it must hold policies, limiters or both' },
    ])
  }
  const { config, faults } = checkConfig(source.value)
  if (faults.length === 0) return config
  throw refused(
    file,
    faults.map(({ path, isName, message }) => ({
      ...(isName ? source.placeOfName(path) : source.placeOf(path)),
      message,
    })),
  )
}

async function readText(file: string): Promise<string> {
  const shown = printable(file, 120)
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Failure(`can't read ${shown}: ${systemReason(error)}.`)
  })
  if (bytes.length > MAX_BYTES)
    throw new Failure(`${shown} is ${bytes.length} bytes; a config has at most ${MAX_BYTES}.`)
  try {
    return utf8.decode(bytes)
  } catch {
    throw new Failure(`${shown} is not UTF-8 text: save it as UTF-8.`)
  }
}

function refused(file: string, faults: readonly YamlFault[]): Failure {
  const shown = printable(file, 120)
  const lines = [...faults]
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message }) => `  ${shown}:${line}:${column}: ${printable(message, 400)}.`)
  const count = lines.length === 1 ? '1 error' : `${lines.length} errors`
  return new Failure(`${shown} can't be used; ${count}:\n${lines.join('\n')}`)
}
