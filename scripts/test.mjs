/**
 * `npm test`: prepares, runs everything, names what failed, and ends with one line `N passed, N failed`.
 * `npm test unit` and `npm test browser` run one half; further arguments go to the runner, paths before options.
 * With CI=true, test files that failed run once more on their own, because a loaded machine may miss a deadline. A test
 * that passes only then is listed as flaky, with the error of the first try. (Playwright does the same for the browser
 * tests.) With CI=true, only what expected-skips.mjs lists may be skipped, and both halves run at the same time: each of
 * them alone leaves a part of two cores idle. Lines of the browser half then begin with `browser: `. They have three
 * workers between them; that of the half which ends first goes to the other.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureConsoleBuilt, ensureInstalled, environment, ownNode, root } from './prepare.mjs'
import { bundlePrograms } from './tests/bundle-programs.mjs'
import { closingLines } from './tests/closing-lines.mjs'
import { expectedSkips } from './tests/expected-skips.mjs'
import { openLanes } from './tests/lanes.mjs'
import { mergeTries, readBrowserReport, readUnhandledErrors, readUnitReport } from './tests/read-reports.mjs'

ensureInstalled()
ensureConsoleBuilt()
const [only, ...more] = process.argv.slice(2)
const isStrict = process.env.CI === 'true'
// vitest reports tests that a name pattern excludes as skipped, too.
const isByName = more.some((arg) => /^(-t|--testNamePattern)/.test(arg))
const bundles = await bundlePrograms()
const reports = mkdtempSync(join(tmpdir(), 'roomkeeper-tests-'))

const results = await (only === undefined && isStrict ? bothAtOnce() : oneAfterTheOther())
rmSync(reports, { recursive: true })
const { lines, hasPassed } = closingLines(results, isStrict && !isByName ? expectedSkips : null, only === undefined)
console.log(lines.join('\n'))
process.exit(hasPassed ? 0 : 1)

async function oneAfterTheOther() {
  const unit = only === 'browser' ? [] : await triedAgain(await runUnitTests(more))
  return [...unit, ...(only === 'unit' ? [] : await browserResults())]
}

async function bothAtOnce() {
  const lanes = { unit: await openLanes(2), browser: await openLanes(1) }
  const [unit, browser] = await Promise.all([
    runUnitTests(more, lanes.unit.env).finally(lanes.browser.add),
    browserResults({ prefix: 'browser: ', workers: 2, env: lanes.browser.env }).finally(lanes.unit.add),
  ])
  for (const { close } of Object.values(lanes)) close()
  // Only now, when nothing else loads the machine.
  return [...(await triedAgain(unit)), ...browser]
}

async function triedAgain(first) {
  const failed = first.filter(({ status }) => status === 'failed').map(({ file }) => file)
  const again = [...new Set(failed)].filter((file) => existsSync(join(root, file)))
  if (!isStrict || again.length === 0) return first
  const firstOption = more.findIndex((arg) => arg.startsWith('-'))
  const options = firstOption === -1 ? [] : more.slice(firstOption)
  return mergeTries(first, await runUnitTests([...again, ...options]))
}

async function runUnitTests(args, given = {}) {
  const report = join(reports, 'vitest.json')
  const unhandled = join(reports, 'unhandled.json')
  for (const file of [report, unhandled]) rmSync(file, { force: true })
  const reporters = ['default', 'json', './scripts/tests/unhandled-reporter.mjs'].map((each) => `--reporter=${each}`)
  const options = ['run', ...reporters, `--outputFile.json=${report}`]
  const env = { ...environment, ...bundles, ...given, UNHANDLED_ERRORS_FILE: unhandled }
  const exitCode = await runTool('node_modules/vitest/vitest.mjs', [...options, ...args], env)
  const tests = [...readUnitReport(report, root), ...readUnhandledErrors(unhandled)]
  return withFailedRun(tests, exitCode, 'the unit tests')
}

/**
 * @param {object} [options]
 * @param {string} [options.prefix] stands before each line that the runner prints; none: it prints by itself
 * @param {number} [options.workers] default: as configured
 */
async function browserResults({ prefix, workers, env: given } = {}) {
  const report = join(reports, 'playwright.json')
  const atOnce = workers === undefined ? [] : [`--workers=${workers}`]
  const args = ['test', '-c', 'e2e', '--reporter=list,json', ...atOnce, ...more]
  const env = { ...environment, ...bundles, ...given, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const exitCode = await runTool('node_modules/@playwright/test/cli.js', args, env, prefix)
  return withFailedRun(readBrowserReport(report, root), exitCode, 'the browser tests')
}

/** A runner that fails without a failed test (for example because it could not start) counts as one failure. */
function withFailedRun(tests, exitCode, file) {
  if (exitCode === 0 || tests.some(({ status }) => status === 'failed')) return tests
  return [...tests, { file, path: [], status: 'failed', error: `The runner ended with exit code ${exitCode}.` }]
}

/** @returns {Promise<number>} its exit code */
function runTool(tool, args, env, prefix) {
  const output = prefix === undefined ? 'inherit' : 'pipe'
  const child = spawn(ownNode, [tool, ...args], { cwd: root, env, stdio: ['inherit', output, output] })
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on('line', (line) => console.log(`${prefix}${line}`))
  }
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${tool} could not be started: ${error.message}`)
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
}
