/** Exit codes: what was typed can't be done (2), or it could be but was not (1). */
export type ExitCode = 1 | 2

/** Ends a command with one sentence for the person who typed it: what was wrong, which value, what to do. */
export class Failure extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message)
    this.name = 'Failure'
    this.exitCode = exitCode
  }
}

/** The command line itself is wrong. */
export function usageFailure(message: string): Failure {
  return new Failure(message, 2)
}

/** What the system says of a failed call, in words; its own text where there are none. */
export function systemReason(error: unknown): string {
  const code = errorCode(error)
  const known = code === undefined ? undefined : REASONS[code]
  return known ?? (error instanceof Error ? error.message : String(error))
}

/** The `code` that Node's and Headgate's errors carry. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  EIO: 'the disk failed',
  ENOSPC: 'the disk is full',
}
