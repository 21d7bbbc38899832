import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { index: 'src/index.ts', testing: 'src/testing/index.ts' },
  platform: 'neutral',
  target: 'es2023',
  tsconfig: 'tsconfig.src.json',
  dts: { oxc: true },
  fixedExtension: false,
})
