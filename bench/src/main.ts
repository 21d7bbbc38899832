import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { memoryCommand } from './memory/command.ts'
import { type Said, UsageError } from './options.ts'
import { serviceCommand } from './service/command.ts'

const commands: Readonly<Record<string, (args: readonly string[]) => Promise<Said>>> = {
  memory: memoryCommand,
  service: serviceCommand,
}

const HELP = `Usage: npm run bench -- NAME [options]

  memory    takeSync beside the memory stores of other limiters
  service   POST /v1/take of headgate serve beside a bare route

npm run bench -- NAME --help lists the options.`

async function run(name: string | undefined, args: readonly string[]): Promise<void> {
  if (name === undefined || name === '--help') return console.log(HELP)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) {
    throw new UsageError(
      `there is no bench ${JSON.stringify(name)}: there is ${Object.keys(commands).join(' and ')}.`,
    )
  }
  const { text, file, results } = await command(args)
  console.log(text)
  if (file !== undefined) {
    writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)
    console.log(`\nthe rows are in ${file}`)
  }
}

const [name, ...args] = process.argv.slice(2)
run(name, args).catch((error: unknown) => {
  const expected = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
  console.error(expected ? `headgate: ${error.message}` : error)
  process.exitCode = 1
})
