import { PolicyError } from './errors.ts'
import { sha256 } from './sha256.ts'

/** Longer keys are kept as their hash, so that a user's text can't fill the store. In UTF-16 units. */
const MAX_PLAIN_LENGTH = 256
/** Begins every hashed key. A plain key that begins with it is hashed as well, so no two keys share a name. */
const HASHED = '\u0000sha256:'

/**
 * The name under which a store keeps a key: the key itself, or its SHA-256 where it is longer than 256 UTF-16 units.
 *
 * @throws PolicyError `ERR_HEADGATE_KEY` for anything but a text with something in it: clients without a key must not share one quota.
 */
export function storedKey(key: unknown, at: string): string {
  if (typeof key !== 'string' || key.length === 0) {
    throw new PolicyError('ERR_HEADGATE_KEY', `key${at}`, key, 'must be a text that is not empty')
  }
  // Nearly none begins with a zero, and to look at one unit is quicker than to compare a text.
  const isPlain = key.length <= MAX_PLAIN_LENGTH && (key.charCodeAt(0) > 0 || !key.startsWith(HASHED))
  return isPlain ? key : HASHED + sha256(key)
}
