import { Command, CommanderError } from 'commander'
import { HeadgateError } from 'headgate'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'
import { replayCommand } from './replay/command.ts'
import { serveCommand } from './serve/command.ts'
import { printable } from './text.ts'
import { version } from './version.ts'

const EXAMPLES = `
Examples:
  headgate serve
  headgate replay access.log --algorithm sliding-window --limit 100 --window 1m
  headgate help replay
`

/** Runs one command line and resolves with its exit code: 0, 1 (it failed) or 2 (it was typed wrong). */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await program(io).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has written its sentence, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    io.stderr.write(`headgate: ${sentence(error)}\n`)
    return error instanceof Failure ? error.exitCode : 1
  }
}

function program(io: Io): Command {
  const root = new Command('headgate')
    .description('A rate limiter that holds up: a decision service, and the replay of real traffic.')
    .version(version)
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
  for (const command of [serveCommand(io), replayCommand(io)]) root.addCommand(command)
  for (const command of [root, ...root.commands]) reportThrough(command, io)
  return root
}

function reportThrough(command: Command, io: Io): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => io.stdout.write(text),
    writeErr: (text) => io.stderr.write(text),
    outputError: (text, write) => write(`headgate: ${oneLine(text.replace(/^error: /, ''))}\n`),
  })
}

function oneLine(text: string): string {
  return printable(text.trim().replace(/\s*\n\s*/g, ' '), 400)
}

function sentence(error: unknown): string {
  if (error instanceof Failure || error instanceof HeadgateError) return error.message
  const debug = process.env['HEADGATE_DEBUG'] !== undefined
  if (debug && error instanceof Error) return `unexpected: ${error.stack}`
  const message = error instanceof Error ? error.message : String(error)
  return `unexpected: ${oneLine(message)} (HEADGATE_DEBUG=1 shows where)`
}
