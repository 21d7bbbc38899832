import { parseArgs } from 'node:util'
import { Trouble } from './trouble.mjs'

/** @typedef {NonNullable<import('node:util').ParseArgsConfig['options']>} Config */

/**
 * Refuses what a command does not know, so that a slip of the pen is not run as something else.
 * @param {string[]} args
 * @param {Config} known
 */
export function options(args, known) {
  try {
    return parseArgs({ args, options: known }).values
  } catch (error) {
    const [sentence] = /** @type {Error} */ (error).message.split('. ')
    throw new Trouble(`${sentence}: --help lists what there is.`)
  }
}

/**
 * @param {string[]} names
 * @returns {Config}
 */
export const switches = (...names) => Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]))
