import { fileURLToPath } from 'node:url'

/** Ten thousand real requests, 4,915 of them behind their predecessor by up to 59 s. */
export const SITE_LOG: string = fileURLToPath(
  new URL('../../../test/fixtures/site-access.log', import.meta.url),
)
