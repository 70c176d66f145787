/**
 * `npm test`: prepares, runs vitest and then Playwright, names what failed, and ends with one line `N passed, N failed`.
 * `npm test unit` and `npm test browser` run one of them; further arguments go to it, paths before options.
 * A run takes a part, which SEED chooses, of the cases of some walks and, unless it is told what to run, of the drills;
 * `-- --all` takes all. In CI only what expected-skips.mjs lists may be skipped.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureInstalled, environment, lastRun, ownNode, root } from './prepare.mjs'
import { closingLines } from './tests/closing-lines.mjs'
import { drills, drillsLeftOut } from './tests/drills.mjs'
import { readBrowserReport, readSampled, readUnitReport } from './tests/read-reports.mjs'

ensureInstalled()
const given = process.argv.slice(2)
const isAll = given.includes('--all')
const [only, ...more] = given.filter((each) => each !== '--all')
const isWhole = only === undefined
const reports = mkdtempSync(join(tmpdir(), 'roomkeeper-tests-'))
const sampledFile = join(reports, 'sampled')
const seed = process.env.SEED ?? numberOfCommits()
const env = { ...environment, SEED: seed, SAMPLED_FILE: sampledFile, ...(isAll ? { ALL: '1' } : {}) }

// A run that names files or tests leaves no drill out.
const leftOut = isAll || more.some((each) => !each.startsWith('-')) ? [] : drillsLeftOut(seed)
const began = Date.now()
const unit = only === 'browser' ? [] : await unitResults()
const unitEnded = Date.now()
const browser = only === 'unit' ? [] : await browserResults()
const minutes = { unit: minutesBetween(began, unitEnded), browser: minutesBetween(unitEnded, Date.now()) }
const sampled = readSampled(sampledFile)
if (leftOut.length > 0 && only !== 'browser')
  sampled.set('drills', { ran: drills.length - leftOut.length, of: drills.length })
rmSync(reports, { recursive: true })

// vitest reports tests that a name pattern excludes as skipped, too.
const isStrict = process.env.CI === 'true' && more.length === 0
const { lines, failed } = closingLines([...unit, ...browser], { isStrict, sampled, seed })
if (isWhole) recordRun()
console.log(lines.join('\n'))
process.exit(failed === 0 ? 0 : 1)

async function unitResults() {
  const report = join(reports, 'vitest.json')
  const options = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const excluded = leftOut.map((file) => `--exclude=${file}`)
  const exitCode = await runTool('node_modules/vitest/vitest.mjs', [...options, ...excluded, ...more], env)
  return withFailedRun(readUnitReport(report, root), exitCode, 'the unit tests')
}

async function browserResults() {
  const report = join(reports, 'playwright.json')
  const args = ['test', '-c', 'e2e', '--reporter=list,json', ...more]
  const exitCode = await runTool('node_modules/@playwright/test/cli.js', args, {
    ...env,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  })
  return withFailedRun(readBrowserReport(report, root), exitCode, 'the browser tests')
}

/** A runner that fails without a failed test, for example by an error outside of all tests, counts as one failure. */
function withFailedRun(tests, exitCode, file) {
  if (exitCode === 0 || tests.some(({ status }) => status === 'failed')) return tests
  return [...tests, { file, path: [`the runner ended with exit code ${exitCode}`], status: 'failed' }]
}

/** @returns {Promise<number>} its exit code */
function runTool(tool, args, env) {
  const child = spawn(ownNode, [tool, ...args], { cwd: root, env, stdio: 'inherit' })
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(`${tool} could not be started: ${error.message}`)
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
}

/** The next commit takes the next part of each walk. */
function numberOfCommits() {
  const { stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return stdout?.trim() || '0'
}

function minutesBetween(from, to) {
  return Math.round((to - from) / 6_000) / 10
}

/** For `npm run size`. */
function recordRun() {
  mkdirSync(dirname(lastRun), { recursive: true })
  const counts = { unit: unit.length, browser: browser.length, failed }
  writeFileSync(lastRun, JSON.stringify({ at: new Date(began).toISOString(), minutes, counts, isAll }))
}
