/** The closing lines of `npm test`, and whether it passed. */

/**
 * @param {import('./read-reports.mjs').TestResult[]} results
 * @param {{ file: string, group?: string, because: string }[] | null} expectedSkips null: anything may be skipped
 * @param {boolean} isWhole whether everything ran; then an expected skip without a test is a mistake
 */
export function closingLines(results, expectedSkips, isWhole) {
  const of = (status) => results.filter((each) => each.status === status)
  const [passed, flaky, failed, skipped] = ['passed', 'flaky', 'failed', 'skipped'].map(of)
  const reasonOf = (test) => expectedSkips?.find((expected) => isMeant(expected, test))?.because
  const unexpected = expectedSkips === null ? [] : skipped.filter((test) => reasonOf(test) === undefined)
  const meansNothing = (expected) => !results.some((test) => isMeant(expected, test))
  const stale = isWhole ? (expectedSkips ?? []).filter(meansNothing) : []
  const lines = [
    ...list('failed', failed, withError),
    ...list('flaky: passed only when tried again; the error of the first try', flaky, withError),
    ...list(
      'skipped',
      skipped.filter((test) => !unexpected.includes(test)),
      (test) => (reasonOf(test) === undefined ? nameOf(test) : `${nameOf(test)} (${reasonOf(test)})`),
    ),
    ...list('skipped, which scripts/tests/expected-skips.mjs does not expect', unexpected, nameOf),
    ...list('expected to be skipped, but there is no such test', stale, ({ file, group }) => `${file} ${group ?? ''}`),
  ]
  const counts = {
    passed: passed.length + flaky.length,
    failed: failed.length + unexpected.length + stale.length,
    skipped: skipped.length - unexpected.length,
  }
  const last = [`${counts.passed} passed`, `${counts.failed} failed`]
  if (flaky.length > 0) last.push(`${flaky.length} flaky`)
  if (counts.skipped > 0) last.push(`${counts.skipped} skipped`)
  return { lines: [...lines, '', last.join(', ')], hasPassed: counts.failed === 0 && counts.passed > 0 }
}

function isMeant(expected, { file, path }) {
  return expected.file === file && (expected.group === undefined || path.includes(expected.group))
}

function list(title, tests, lineOf) {
  return tests.length === 0 ? [] : ['', `${title}:`, ...tests.map((test) => `  ${lineOf(test)}`)]
}

function nameOf({ file, path }) {
  return `${file}: ${path.join(' › ') || 'outside of its tests'}`
}

function withError(test) {
  const error = (test.error ?? '').split('\n').filter((line) => line !== '')
  return [nameOf(test), ...error.map((line) => `    ${line}`)].join('\n')
}
