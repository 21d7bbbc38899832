/** What a replay needs of one request in a log. */
export interface AccessRecord {
  /** When it came, in epoch milliseconds. */
  readonly timeMs: number
  /** Who sent it, as the log names the remote host. */
  readonly remoteHost: string
}
