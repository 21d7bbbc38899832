// Writes the golden tables under test/golden/ from the oracle in exact integers; with --check it only says whether they are up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { goldenFiles } from '../test/golden/tables/index.ts'

const [option, ...more] = process.argv.slice(2)
if (more.length > 0 || (option !== undefined && option !== '--check')) {
  console.error('usage: npx tsx scripts/golden.ts [--check]')
  process.exit(2)
}

const stale: string[] = []
for (const [name, text] of goldenFiles()) {
  const file = new URL(`../test/golden/${name}`, import.meta.url)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  stale.push(name)
  if (option !== '--check') writeFileSync(file, text)
}

if (stale.length === 0) console.log('the golden tables are up to date')
else if (option !== '--check') console.log(`written: ${stale.join(', ')}`)
else {
  console.error(
    `not what the oracle says: ${stale.join(', ')}; run npx tsx scripts/golden.ts and look at the difference`,
  )
  process.exit(1)
}
