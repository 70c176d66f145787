/**
 * Reads the JSON reports of vitest and Playwright into one form.
 *
 * @typedef {object} TestResult
 * @property {string} file path from the root of the repository
 * @property {string[]} path the names of its groups, then its own; empty: the file failed outside its tests
 * @property {'passed' | 'failed' | 'skipped'} status
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** @returns {TestResult[]} */
export function readUnitReport(path, root) {
  if (!existsSync(path)) return []
  return JSON.parse(readFileSync(path, 'utf8')).testResults.flatMap((report) => {
    const file = relative(root, report.name)
    const tests = report.assertionResults.map(({ ancestorTitles, title, status }) => ({
      file,
      path: [...ancestorTitles, title],
      status: ['passed', 'failed'].includes(status) ? status : 'skipped',
    }))
    const isReported = report.status !== 'failed' || tests.some(({ status }) => status === 'failed')
    return isReported ? tests : [...tests, { file, path: [], status: 'failed' }]
  })
}

/** @returns {TestResult[]} */
export function readBrowserReport(path, root) {
  if (!existsSync(path)) return []
  const { config, suites, errors } = JSON.parse(readFileSync(path, 'utf8'))
  const statuses = { expected: 'passed', skipped: 'skipped' }
  const testsOf = (suite, groups) => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests.map(({ status }) => ({
        file: `${relative(root, join(config.rootDir, spec.file))}:${spec.line}`,
        path: [...groups, spec.title],
        status: statuses[status] ?? 'failed',
      })),
    ),
    ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, [...groups, inner.title])),
  ]
  const outside = errors.map(({ location }) => ({
    file: location === undefined ? 'the browser tests' : relative(root, location.file),
    path: [],
    status: 'failed',
  }))
  return [...suites.flatMap((suite) => testsOf(suite, [])), ...outside]
}

/**
 * What the walks wrote that take a part of their cases: see packages/dev-env/src/sampled.ts.
 * @returns {Map<string, { ran: number, of: number }>} by the name of the walk
 */
export function readSampled(path) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  const walks = new Map()
  for (const { walk, ran, of } of lines.map((line) => JSON.parse(line))) {
    const before = walks.get(walk) ?? { ran: 0, of: 0 }
    walks.set(walk, { ran: before.ran + ran, of: before.of + of })
  }
  return walks
}
