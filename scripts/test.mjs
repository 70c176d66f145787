/**
 * `npm test`: prepares, runs everything, names what failed, and closes with one line `N passed, N failed`.
 * `npm test unit` and `npm test browser` run one half; further arguments go to the runner.
 * With CI=true, test files that failed run once more by themselves, because a loaded machine may miss a deadline; what
 * passes only then is listed as flaky. (Playwright does the same for the browser tests.)
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureConsoleBuilt, ensureInstalled, environment, ownNode, root } from './prepare.mjs'

ensureInstalled()
ensureConsoleBuilt()
const [only, ...more] = process.argv.slice(2)
const count = { passed: 0, failed: 0, skipped: 0 }
const noted = { failed: [], flaky: [] }

if (only !== 'browser') {
  let files = runUnitTests(more)
  const again = files.filter((file) => file.status === 'failed' && existsSync(file.name)).map((file) => file.name)
  if (process.env.CI === 'true' && again.length > 0) {
    noted.flaky.push(...again.map((file) => `${relative(root, file)} (ran twice)`))
    files = [...files.filter((file) => !again.includes(file.name)), ...runUnitTests(again)]
  }
  addUnitTests(files)
}
if (only !== 'unit') addBrowserTests(more)

for (const [what, names] of Object.entries(noted)) {
  if (names.length > 0) console.log(`\n${what}:\n${names.map((name) => `  ${name}`).join('\n')}`)
}
console.log(`\n${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`)
process.exit(count.failed > 0 || count.passed === 0 ? 1 : 0)

/** @returns what vitest tells of each file; a run that failed without a failed file counts as a failed one */
function runUnitTests(args) {
  const report = join(mkdtempSync(join(tmpdir(), 'roomkeeper-tests-')), 'vitest.json')
  const options = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = runTool('node_modules/vitest/vitest.mjs', [...options, ...args])
  const files = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : []
  const isTold = files.some((file) => file.status === 'failed')
  if (status !== 0 && !isTold) files.push({ name: 'the run itself', status: 'failed', assertionResults: [] })
  return files
}

function addUnitTests(files) {
  for (const file of files) {
    const failed = file.assertionResults.filter((test) => test.status === 'failed')
    noted.failed.push(...failed.map((test) => `${relative(root, file.name)}: ${test.fullName}`))
    // A file that could not be loaded, or that failed outside of its tests.
    if (file.status === 'failed' && failed.length === 0) {
      noted.failed.push(file.name)
      count.failed += 1
    }
    count.failed += failed.length
    count.passed += file.assertionResults.filter((test) => test.status === 'passed').length
    count.skipped += file.assertionResults.filter((test) => ['pending', 'skipped', 'todo'].includes(test.status)).length
  }
}

function addBrowserTests(args) {
  const report = join(mkdtempSync(join(tmpdir(), 'roomkeeper-tests-')), 'playwright.json')
  const env = { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const status = runTool(
    'node_modules/@playwright/test/cli.js',
    ['test', '-c', 'e2e', '--reporter=list,json', ...args],
    env,
  )
  const told = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : { stats: {}, suites: [] }
  const { expected = 0, flaky = 0, unexpected = 0, skipped = 0 } = told.stats
  for (const { status: end, name } of told.suites.flatMap(testsOf)) {
    if (end === 'unexpected') noted.failed.push(name)
    if (end === 'flaky') noted.flaky.push(name)
  }
  count.passed += expected + flaky
  count.skipped += skipped
  // A runner that fails without a failed test (it could not start, say) counts as one failure.
  count.failed += status !== 0 && unexpected === 0 ? 1 : unexpected
}

function testsOf(suite) {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({ status: test.status, name: `${spec.file}: ${spec.title}` })),
  )
  return [...own, ...(suite.suites ?? []).flatMap(testsOf)]
}

function runTool(tool, args, env = environment) {
  const { status } = spawnSync(ownNode, [tool, ...args], { cwd: root, env, stdio: 'inherit' })
  return status ?? 1
}
