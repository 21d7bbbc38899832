import { writeFileSync } from 'node:fs'

/** @typedef {import('./test-runner.mjs').Tally} Tally */

/** For Vitest: writes how many tests passed, failed and were skipped to the file that HEADGATE_TALLY names. */
export default class TallyReporter {
  /**
   * @param {Iterable<{ errors(): unknown[], children: { allTests(): Iterable<{ result(): { state: string } }> } }>} modules
   * @param {unknown[]} stray errors outside any test
   */
  onTestRunEnd(modules, stray) {
    /** @type {Tally} */
    const tally = { passed: 0, failed: stray.length, skipped: 0 }
    for (const module of modules) {
      // A file that can't be loaded has no test that could fail.
      tally.failed += module.errors().length
      for (const test of module.children.allTests()) tally[stateOf(test.result().state)]++
    }
    writeFileSync(String(process.env['HEADGATE_TALLY']), JSON.stringify(tally))
  }
}

/**
 * @param {string} state one that never got a result is no pass
 * @returns {keyof Tally}
 */
const stateOf = (state) => (state === 'passed' || state === 'skipped' ? state : 'failed')
