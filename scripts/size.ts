// Says what a bundle of the library weighs, minified and gzipped, and what each module adds to it before it is compressed.
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const BUNDLES = {
  everything: "export * from './src/index.ts'",
  'one policy': "export { Limiter, fixedWindow } from './src/index.ts'",
}

for (const [name, contents] of Object.entries(BUNDLES)) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    outfile: 'size.js',
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    metafile: true,
  })
  console.log(`${name}: ${gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length} bytes gzipped`)
  if (name !== 'everything') continue
  const modules = Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {})
  for (const [path, { bytesInOutput }] of modules.sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)) {
    if (bytesInOutput > 0) console.log(`${String(bytesInOutput).padStart(7)}  ${path}`)
  }
}
