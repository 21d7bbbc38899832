import { defineConfig } from 'tsdown'

/** What stands in `dependencies`, the library among it, is imported when it runs and not bundled. */
export default defineConfig({
  entry: { main: 'src/main.ts' },
  platform: 'node',
  target: 'node20.19',
  tsconfig: '../tsconfig.json',
  dts: false,
  fixedExtension: false,
})
