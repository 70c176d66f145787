/**
 * `npm test`: prepares, runs everything, names what failed, and ends with one line `N passed, N failed`.
 * `npm test unit` and `npm test browser` run one half; further arguments go to the runner, paths before options.
 * With CI=true, test files that failed run once more on their own, because a loaded machine may miss a deadline. A test
 * that passes only then is listed as flaky, with the error of the first try. (Playwright does the same for the browser
 * tests.) With CI=true, only what expected-skips.mjs lists may be skipped.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureConsoleBuilt, ensureInstalled, environment, ownNode, root } from './prepare.mjs'
import { closingLines } from './tests/closing-lines.mjs'
import { expectedSkips } from './tests/expected-skips.mjs'
import { mergeTries, readBrowserReport, readUnhandledErrors, readUnitReport } from './tests/read-reports.mjs'

ensureInstalled()
ensureConsoleBuilt()
const [only, ...more] = process.argv.slice(2)
const isStrict = process.env.CI === 'true'
// vitest reports tests that a name pattern excludes as skipped, too.
const isByName = more.some((arg) => /^(-t|--testNamePattern)/.test(arg))
const reports = mkdtempSync(join(tmpdir(), 'roomkeeper-tests-'))

const results = [...(only === 'browser' ? [] : unitResults()), ...(only === 'unit' ? [] : browserResults())]
rmSync(reports, { recursive: true })
const { lines, hasPassed } = closingLines(results, isStrict && !isByName ? expectedSkips : null, only === undefined)
console.log(lines.join('\n'))
process.exit(hasPassed ? 0 : 1)

function unitResults() {
  const first = runUnitTests(more)
  const failed = first.filter(({ status }) => status === 'failed').map(({ file }) => file)
  const again = [...new Set(failed)].filter((file) => existsSync(join(root, file)))
  if (!isStrict || again.length === 0) return first
  const firstOption = more.findIndex((arg) => arg.startsWith('-'))
  const options = firstOption === -1 ? [] : more.slice(firstOption)
  return mergeTries(first, runUnitTests([...again, ...options]))
}

function runUnitTests(args) {
  const report = join(reports, 'vitest.json')
  const unhandled = join(reports, 'unhandled.json')
  for (const file of [report, unhandled]) rmSync(file, { force: true })
  const reporters = ['default', 'json', './scripts/tests/unhandled-reporter.mjs'].map((each) => `--reporter=${each}`)
  const options = ['run', ...reporters, `--outputFile.json=${report}`]
  const env = { ...environment, UNHANDLED_ERRORS_FILE: unhandled }
  const exitCode = runTool('node_modules/vitest/vitest.mjs', [...options, ...args], env)
  const tests = [...readUnitReport(report, root), ...readUnhandledErrors(unhandled)]
  return withFailedRun(tests, exitCode, 'the unit tests')
}

function browserResults() {
  const report = join(reports, 'playwright.json')
  const args = ['test', '-c', 'e2e', '--reporter=list,json', ...more]
  const env = { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const exitCode = runTool('node_modules/@playwright/test/cli.js', args, env)
  return withFailedRun(readBrowserReport(report, root), exitCode, 'the browser tests')
}

/** A runner that fails without a failed test (for example because it could not start) counts as one failure. */
function withFailedRun(tests, exitCode, file) {
  if (exitCode === 0 || tests.some(({ status }) => status === 'failed')) return tests
  return [...tests, { file, path: [], status: 'failed', error: `The runner ended with exit code ${exitCode}.` }]
}

function runTool(tool, args, env = environment) {
  const { status } = spawnSync(ownNode, [tool, ...args], { cwd: root, env, stdio: 'inherit' })
  return status ?? 1
}
