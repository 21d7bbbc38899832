import { errorCode } from '../failure.ts'

const MAX_FRAMES = 6

/** An error for the log: what kind, and where. Its message may repeat what a client sent, and keys stay out of logs. */
export function withoutMessage(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`
  const stack = error.stack ?? ''
  // The stack begins with name and message, and a message may look like anything, a frame included.
  const head = `${error.name}: ${error.message}`
  const frames = stack.startsWith(head)
    ? stack
        .slice(head.length)
        .trim()
        .split(/\s*\n\s*/)
    : []
  return [error.name, errorCode(error), ...frames.slice(0, MAX_FRAMES)].filter(Boolean).join(' ')
}
