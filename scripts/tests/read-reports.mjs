/**
 * Reads the JSON reports of vitest and Playwright into one form.
 *
 * @typedef {object} TestResult
 * @property {string} file path from the root of the repository
 * @property {string[]} path the names of its groups, then its own; empty: the file failed outside its tests
 * @property {'passed' | 'flaky' | 'failed' | 'skipped'} status flaky: failed first, passed on a retry
 * @property {string} [error] of the first try
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const mostLines = 6

/** @returns {TestResult[]} */
export function readUnitReport(path, root) {
  if (!existsSync(path)) return []
  return JSON.parse(readFileSync(path, 'utf8')).testResults.flatMap((file) => {
    const name = relative(root, file.name)
    const tests = file.assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
      file: name,
      path: [...ancestorTitles, title],
      status: ['passed', 'failed'].includes(status) ? status : 'skipped',
      error: firstLines(failureMessages?.[0]),
    }))
    const isReported = file.status !== 'failed' || tests.some(({ status }) => status === 'failed')
    return isReported ? tests : [...tests, { file: name, path: [], status: 'failed', error: firstLines(file.message) }]
  })
}

/** @returns {TestResult[]} failures outside all tests, such as a rejected promise that nobody awaited */
export function readUnhandledErrors(path) {
  if (!existsSync(path)) return []
  const messages = JSON.parse(readFileSync(path, 'utf8'))
  return messages.map((message) => ({
    file: 'outside of the unit tests',
    path: [],
    status: 'failed',
    error: firstLines(message),
  }))
}

/** Merges the results of files that ran twice: a test that failed first and then passed is flaky. */
export function mergeTries(first, second) {
  const again = new Set(second.map(({ file }) => file))
  const failed = new Map(first.filter(({ status }) => status === 'failed').map((each) => [keyOf(each), each]))
  const merged = second.map((result) => {
    const before = failed.get(keyOf(result))
    failed.delete(keyOf(result))
    if (before === undefined) return result
    return { ...result, status: result.status === 'passed' ? 'flaky' : 'failed', error: before.error }
  })
  // A file that failed outside its tests may pass the second time. A test that did not run again has not passed.
  const gone = [...failed.values()]
    .filter(({ file }) => again.has(file))
    .map((each) => ({ ...each, status: each.path.length === 0 ? 'flaky' : 'failed' }))
  return [...first.filter(({ file }) => !again.has(file)), ...merged, ...gone]
}

/** @returns {TestResult[]} */
export function readBrowserReport(path, root) {
  if (!existsSync(path)) return []
  const { config, suites, errors } = JSON.parse(readFileSync(path, 'utf8'))
  const statuses = { expected: 'passed', unexpected: 'failed', flaky: 'flaky', skipped: 'skipped' }
  const fileOf = (spec) => relative(root, join(config.rootDir, spec.file))
  const testsOf = (suite, groups) => [
    ...(suite.specs ?? []).flatMap((spec) =>
      spec.tests.map(({ status, results }) => ({
        file: `${fileOf(spec)}:${spec.line}`,
        path: [...groups, spec.title],
        status: statuses[status],
        error: firstLines(results.find(({ error }) => error !== undefined)?.error.message),
      })),
    ),
    ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, [...groups, inner.title])),
  ]
  const outside = errors.map(({ message, location }) => ({
    file: location === undefined ? 'the browser tests' : relative(root, location.file),
    path: [],
    status: 'failed',
    error: firstLines(message),
  }))
  return [...suites.flatMap((suite) => testsOf(suite, [])), ...outside]
}

function keyOf({ file, path }) {
  return JSON.stringify([file, path])
}

/** The message without stack and colours. */
function firstLines(message) {
  if (message === undefined) return undefined
  const lines = stripVTControlCharacters(message).split('\n')
  const stack = lines.findIndex((line) => /^\s+at /.test(line))
  return lines
    .slice(0, stack === -1 ? undefined : stack)
    .filter((line) => line.trim() !== '')
    .slice(0, mostLines)
    .join('\n')
}
