/** The closing lines of `npm test`, and how much failed. */
import { expectedSkips } from './expected-skips.mjs'

/**
 * @param {import('./read-reports.mjs').TestResult[]} results
 * @param {object} run
 * @param {boolean} run.isStrict whether a skip that expected-skips.mjs does not list is a failure
 * @param {Map<string, { ran: number, of: number }>} run.sampled
 * @param {string} run.seed
 */
export function closingLines(results, { isStrict, sampled, seed }) {
  const of = (status) => results.filter((each) => each.status === status)
  const skipped = of('skipped')
  const unexpected = isStrict ? skipped.filter((test) => !isExpected(test)) : []
  // A run without a test has not passed.
  const failed = of('failed').length + unexpected.length + (results.length === 0 ? 1 : 0)
  const skips = skipped.length - unexpected.length
  const walks = [...sampled].map(([walk, { ran, of: all }]) => `sampled: ${walk} ${ran} of ${all}`)
  const lines = [
    ...list('failed', of('failed')),
    ...list(
      'skipped',
      skipped.filter((test) => !unexpected.includes(test)),
    ),
    ...list('skipped, which scripts/tests/expected-skips.mjs does not expect', unexpected),
    '',
    ...(walks.length === 0 ? [] : [...walks, `SEED=${seed}`]),
    `${of('passed').length} passed, ${failed} failed${skips === 0 ? '' : `, ${skips} skipped`}`,
  ]
  return { lines, failed }
}

function isExpected({ file, path }) {
  return expectedSkips.some(
    (expected) => expected.file === file && (expected.group === undefined || path.includes(expected.group)),
  )
}

function list(title, tests) {
  const lines = tests.map(({ file, path }) => `  ${file}: ${path.join(' › ') || 'outside of its tests'}`)
  return tests.length === 0 ? [] : ['', `${title}:`, ...lines]
}
