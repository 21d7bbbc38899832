import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Consumer, makeConsumer } from './consumer.ts'

const MAKERS = ['fixedWindow', 'slidingWindow', 'slidingLog', 'tokenBucket', 'gcra']

describe('a bundle', () => {
  let consumer: Consumer

  const bundle = async (source: string): Promise<string> => {
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir: consumer.folder },
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      logLevel: 'silent',
    })
    return outputFiles.map((file) => file.text).join('')
  }
  const using = (...makers: string[]): Promise<string> =>
    bundle(
      `import { Limiter, ${makers.join(', ')} } from 'headgate'\nconsole.log(Limiter, ${makers.join(', ')})`,
    )

  beforeAll(() => {
    consumer = makeConsumer()
  })
  afterAll(() => consumer.remove())

  it('that imports the library and uses nothing of it holds nothing of it', async () => {
    expect((await bundle(`import 'headgate'\nimport 'headgate/testing'`)).trim()).toBe('')
  })

  it('that uses an error alone does not carry the limiter', async () => {
    const text = await bundle(`import { PolicyError } from 'headgate'\nconsole.log(PolicyError)`)
    expect(text).toContain('extends Error')
    expect(text.length).toBeLessThan((await using('fixedWindow')).length / 2)
  })

  it('grows with every policy that it names: none was in it before', async () => {
    const sizes: number[] = []
    for (const index of MAKERS.keys()) sizes.push((await using(...MAKERS.slice(0, index + 1))).length)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(new Set(sizes).size, String(sizes)).toBe(MAKERS.length)
  })

  it('that names one policy, whichever, is smaller than one that names five', async () => {
    const five = (await using(...MAKERS)).length
    for (const maker of MAKERS) expect((await using(maker)).length, maker).toBeLessThan(five)
  })

  it('needs nothing of Node', async () => {
    // esbuild builds for a browser here, and refuses an import that only Node can serve.
    await expect(bundle(`export * from 'headgate'\nexport * from 'headgate/testing'`)).resolves.not.toContain(
      'node:',
    )
  })
})
