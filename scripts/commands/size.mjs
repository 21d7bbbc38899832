import { gzipSync } from 'node:zlib'
import { inRoot, root } from '../lib/checkout.mjs'
import { options, switches } from '../lib/options.mjs'
import { setUp } from '../lib/setup.mjs'

const HELP = `Usage: npm run size

Says what a bundle of the library weighs, minified and gzipped, and what each module adds to it before it is compressed.

  --help   this text`

const BUNDLES = [
  ['everything', "export * from './src/index.ts'"],
  ['one policy', "export { Limiter, fixedWindow } from './src/index.ts'"],
]

/** @param {string[]} args */
export async function main(args) {
  const { help } = options(args, switches('help'))
  if (help) return console.log(HELP)
  await setUp({ build: false })
  const { build } = await import('esbuild')
  for (const [name, contents = ''] of BUNDLES) {
    const { outputFiles, metafile } = await build({
      stdin: { contents, resolveDir: root },
      absWorkingDir: root,
      outfile: inRoot('dist', 'size.js'),
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      metafile: true,
    })
    const [output] = outputFiles
    const [{ inputs } = { inputs: {} }] = Object.values(metafile.outputs)
    console.log(`${name}: ${gzipSync(output?.contents ?? '', { level: 9 }).length} bytes gzipped`)
    if (name !== 'everything') continue
    const modules = Object.entries(inputs).sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
    for (const [path, { bytesInOutput }] of modules) {
      if (bytesInOutput > 0) console.log(`${String(bytesInOutput).padStart(7)}  ${path}`)
    }
  }
}
