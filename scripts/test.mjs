/**
 * `npm test`: prepares, runs everything, and closes with one line `N passed, N failed`.
 * `npm test unit` and `npm test browser` run one half; further arguments go to the runner.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureConsoleBuilt, ensureInstalled, environment, ownNode, root } from './prepare.mjs'

ensureInstalled()
ensureConsoleBuilt()
const [only, ...more] = process.argv.slice(2)
const reports = mkdtempSync(join(tmpdir(), 'roomkeeper-tests-'))
const count = { passed: 0, failed: 0, skipped: 0 }

if (only !== 'browser') {
  const report = join(reports, 'vitest.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...more]
  const status = runTool('node_modules/vitest/vitest.mjs', args)
  add(report, status, ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) => ({
    passed: numPassedTests,
    // A file that could not even be loaded counts as a failure too.
    failed:
      numFailedTests +
      testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length,
    skipped: numPendingTests + numTodoTests,
  }))
}
if (only !== 'unit') {
  const report = join(reports, 'playwright.json')
  const env = { ...environment, PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const status = runTool(
    'node_modules/@playwright/test/cli.js',
    ['test', '-c', 'e2e', '--reporter=list,json', ...more],
    env,
  )
  add(report, status, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }))
}

console.log(`\n${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ''}`)
process.exit(count.failed > 0 || count.passed === 0 ? 1 : 0)

function runTool(tool, args, env = environment) {
  const { status } = spawnSync(ownNode, [tool, ...args], { cwd: root, env, stdio: 'inherit' })
  return status ?? 1
}

/** A runner that fails without a failed test (it could not start, say) counts as one failure. */
function add(report, status, read) {
  const found = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0 }
  if (status !== 0 && found.failed === 0) found.failed = 1
  for (const key of ['passed', 'failed', 'skipped']) count[key] += found[key]
}
