import process from 'node:process'

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** The first signal that asks for an end. A second one ends the process at once, as it would have without us. */
export function watchSignals(): { readonly first: Promise<string>; forget(): void } {
  let heard: (name: string) => void = () => undefined
  const first = new Promise<string>((resolve) => {
    heard = resolve
  })
  const listener = (name: string): void => {
    forget()
    heard(name)
  }
  const forget = (): void => {
    for (const name of SIGNALS) process.off(name, listener)
  }
  for (const name of SIGNALS) process.on(name, listener)
  return { first, forget }
}
