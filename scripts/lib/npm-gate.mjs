// Starts npm once the setup has written down this process's number, and not at all if the setup was killed before it could:
// an npm that nobody knows of would break the next install. The setup says "go" on standard input; a closed one says nothing.

import { readSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

if (readSync(0, Buffer.alloc(1)) === 0) process.exit(1)

process.argv.splice(1, 1)
await import(pathToFileURL(String(process.argv[1])).href)
