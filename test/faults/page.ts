import { type Fault, NEEDS } from './ledger.ts'

/** The page of the documentation that tells of the faults, made from the ledger. */
export function faultsPage(ledger: readonly Fault[]): string {
  const areas = [...new Set(ledger.map((fault) => fault.area))]
  const covered = ledger.filter((fault) => fault.tests || fault.elsewhere)
  const waiting = ledger.filter((fault) => fault.later)
  return [
    introduction(covered.length, waiting.length),
    '## The kinds, and their tests\n',
    ...areas.flatMap((area) =>
      section(
        area,
        covered.filter((fault) => fault.area === area),
      ),
    ),
    '## Not yet\n',
    'What can not occur yet can not be tested yet. Each of these has a home, and comes with what it needs; a kind that stands above as well is',
    'tested today as far as it goes.\n',
    ...Object.entries(NEEDS).flatMap(([need, why]) =>
      reason(
        why,
        waiting.filter((fault) => fault.later?.needs === need),
      ),
    ),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

function introduction(covered: number, waiting: number): string {
  return `# Faults that limiters ship

Rate limiters fail in ways that repeat. The kinds on this page were found in limiters that people used, and each that can occur here is a test:
not the one case that was reported, but the kind, on every algorithm for which it makes sense and on every store there is. ${covered} kinds are tested; of
${waiting}, some of them among these, something waits for a feature that does not exist yet.

This page is made from \`test/faults/ledger.ts\`. A test holds the two together, and holds each claim against the files: a kind that says it is
tested is tested. To run them: \`npx vitest run --project promises test/faults\`; to write this page anew: the same with \`-u\`.

To add a kind, name it in the ledger by what goes wrong, and give it a \`kind('its-name', …)\` block in the file of its noun. To add a store, add a line to
\`test/faults/stores.ts\`: the whole suite then runs on it.
`
}

function section(area: string, faults: readonly Fault[]): string[] {
  if (faults.length === 0) return []
  const rows = faults.map(
    (fault) => `| \`${fault.kind}\` | ${fault.fault} | ${fault.right} | ${places(fault)} |`,
  )
  return [
    `### ${area}\n`,
    '| kind | what went wrong | what happens here | tested in |',
    '|---|---|---|---|',
    ...rows,
    '',
  ]
}

function places({ tests = [], elsewhere }: Fault): string {
  const files = tests.map((file) => `\`test/faults/${file}\``)
  return [...files, ...(elsewhere ? [`\`${elsewhere}\``] : [])].join(', ')
}

function reason(why: string, faults: readonly Fault[]): string[] {
  if (faults.length === 0) return []
  const rows = faults.map(
    ({ kind, fault, right, tests, later }) =>
      `| \`${kind}\` | ${tests ? 'See above.' : `${fault} ${right}`} | ${later?.what} | \`test/faults/${later?.home}\` |`,
  )
  const title = why[0]?.toUpperCase() + why.slice(1)
  return [
    `### ${title}\n`,
    '| kind | the fault, and what is right | to be tested | home |',
    '|---|---|---|---|',
    ...rows,
    '',
  ]
}
