import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Tests run on the sources: no build stands between an edit and its verdict. `test/package` alone looks at what is built. */
const alias = [
  { find: /^headgate\/testing$/, replacement: here('./src/testing/index.ts') },
  { find: /^headgate$/, replacement: here('./src/index.ts') },
]

const project = (name: string, include: string[], timeoutMs = 30_000) => ({
  resolve: { alias },
  test: { name, include, testTimeout: timeoutMs, hookTimeout: timeoutMs },
})

/** A longer run of the random tests has its time in proportion. */
const stretch = Math.max(1, Number(process.env['HEADGATE_RUNS'] ?? 0) / 1_000)

export default defineConfig({
  test: {
    projects: [
      project('unit', ['src/**/*.test.ts']),
      project('promises', ['test/{golden,conformance,model,faults}/**/*.test.ts'], 120_000 * stretch),
      project('cli', ['cli/src/**/*.test.ts'], 60_000),
      project('bench', ['bench/src/**/*.test.ts'], 120_000),
      project('docs', ['test/docs/**/*.test.ts'], 120_000),
      project('package', ['test/package/**/*.test.ts'], 300_000),
      project('setup', ['test/setup/**/*.test.ts'], 600_000),
    ],
  },
})
