/** `npm test` itself: small test files run by scripts/test.mjs, with the real vitest and Playwright. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closingLines } from './closing-lines.mjs'

const runner = fileURLToPath(new URL('../test.mjs', import.meta.url))
const fixtures = 'scripts/tests/fixtures'
let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roomkeeper-runner-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('in CI', () => {
  it('a run in which all pass has passed', async () => {
    const { exitCode, closing } = await runUnit(['passing'])
    expect(closing).toEqual(['1 passed, 0 failed'])
    expect(exitCode).toBe(0)
  })

  it('what fails twice is named with its error, and fails the run', async () => {
    const { exitCode, closing } = await runUnit(['failing'])
    expect(closing).toEqual([
      'failed:',
      `  ${fixtures}/failing.unit.mjs: fails each time`,
      expect.stringContaining("expected 'what is there' to be 'what should be there'"),
      '1 passed, 1 failed',
    ])
    expect(exitCode).toBe(1)
  })

  it('what passes only when it is tried again is named with the error of the first try, and passes', async () => {
    const { exitCode, closing } = await runUnit(['flaky.unit', 'flaky-outside', 'passing'])
    expect(closing).toEqual([
      'flaky: passed only when tried again; the error of the first try:',
      `  ${fixtures}/flaky.unit.mjs: a group › passes when it is tried again`,
      expect.stringContaining('how often it was tried: expected 1 to be 2'),
      `  ${fixtures}/flaky-outside.unit.mjs: outside of its tests`,
      expect.stringContaining('not loaded at first'),
      '4 passed, 0 failed, 2 flaky',
    ])
    expect(exitCode).toBe(0)
  })

  it('a skip that nobody expects fails the run', async () => {
    const { exitCode, closing } = await runUnit(['skipping', 'passing'])
    expect(closing).toEqual([
      'skipped, which scripts/tests/expected-skips.mjs does not expect:',
      `  ${fixtures}/skipping.unit.mjs: without its program › is skipped`,
      '1 passed, 1 failed',
    ])
    expect(exitCode).toBe(1)
  })

  it('the browser tests are told of in the same way', async () => {
    const { exitCode, closing } = await run(['browser', '-c', `${fixtures}/browser.config.mjs`], 'true')
    expect(closing).toEqual([
      'failed:',
      `  ${fixtures}/all.browser.mjs:8: fails each time`,
      expect.stringContaining('expect(received).toBe(expected)'),
      expect.stringContaining('Expected: "what should be there"'),
      expect.stringContaining('Received: "what is there"'),
      'flaky: passed only when tried again; the error of the first try:',
      `  ${fixtures}/all.browser.mjs:6: a group › passes when it is tried again`,
      expect.stringContaining('how often it was tried'),
      expect.stringContaining('expect(received).toBe(expected)'),
      expect.stringContaining('Expected: 2'),
      expect.stringContaining('Received: 1'),
      '2 passed, 1 failed, 1 flaky',
    ])
    expect(exitCode).toBe(1)
  })
})

it('elsewhere nothing is tried again, and what is skipped is named', async () => {
  const { exitCode, closing } = await runUnit(['flaky.unit', 'skipping', 'passing'], '')
  expect(closing).toEqual([
    'failed:',
    `  ${fixtures}/flaky.unit.mjs: a group › passes when it is tried again`,
    expect.stringContaining('how often it was tried: expected 1 to be 2'),
    'skipped:',
    `  ${fixtures}/skipping.unit.mjs: without its program › is skipped`,
    '1 passed, 1 failed, 1 skipped',
  ])
  expect(exitCode).toBe(1)
})

it('a run without a test has not passed', async () => {
  const { exitCode, closing } = await runUnit(['nothing-of-that-name'])
  expect(closing.at(-1)).toBe('0 passed, 1 failed')
  expect(exitCode).toBe(1)
})

describe('an expected skip', () => {
  const passed = { file: 'a.test.ts', path: ['passes'], status: 'passed' }
  const skipped = { file: 'a.test.ts', path: ['a small disk', 'is full'], status: 'skipped' }
  const expected = { file: 'a.test.ts', group: 'a small disk', because: 'mounts' }

  it('is named with its reason, and does not fail the run', () => {
    expect(closingLines([passed, skipped], [expected], true)).toEqual({
      lines: ['', 'skipped:', '  a.test.ts: a small disk › is full (mounts)', '', '1 passed, 0 failed, 1 skipped'],
      hasPassed: true,
    })
  })

  it('counts for its own group alone', () => {
    const { hasPassed } = closingLines([passed, { ...skipped, path: ['another'] }, skipped], [expected], true)
    expect(hasPassed).toBe(false)
  })

  it('of a test that is not there fails a whole run, and no other', () => {
    expect(closingLines([passed], [expected], true).hasPassed).toBe(false)
    expect(closingLines([passed], [expected], false).hasPassed).toBe(true)
  })
})

function runUnit(names, ci = 'true') {
  const paths = names.map((name) => `${fixtures}/${name}`)
  return run(['unit', ...paths, '--config', `${fixtures}/unit.config.mjs`], ci)
}

/** @returns the exit code, and what is printed after the output of the tools, without empty lines */
async function run(args, ci) {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_OPTIONS|NODE_ENV)/.test(name))
  const env = { ...Object.fromEntries(own), CI: ci, FIXTURE_DIR: folder, TMPDIR: folder }
  const { exitCode, stdout } = await new Promise((resolve) => {
    const child = execFile(process.execPath, [runner, ...args], { env }, (_, stdout) =>
      resolve({ exitCode: child.exitCode, stdout }),
    )
  })
  const lines = stdout.split('\n')
  const last = lines.findLastIndex((line) => /^JSON report written|^ +\d+ passed \(/.test(line))
  return { exitCode, closing: lines.slice(last + 1).filter((line) => line.trim() !== '') }
}
