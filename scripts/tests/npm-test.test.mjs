/** `npm test` itself: small test files run by scripts/test.mjs, with the real vitest and Playwright. */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closingLines } from './closing-lines.mjs'
import { drills, drillsLeftOut } from './drills.mjs'
import { expectedSkips } from './expected-skips.mjs'

const runner = fileURLToPath(new URL('../test.mjs', import.meta.url))
const fixtures = 'scripts/tests/fixtures'
let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'roomkeeper-runner-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('npm test', () => {
  it('passes when all tests pass', async () => {
    const { exitCode, closing } = await runUnit(['passing'])
    expect(closing).toEqual(['1 passed, 0 failed'])
    expect(exitCode).toBe(0)
  })

  it('names what failed, in a test or outside of all, and fails', async () => {
    const { exitCode, closing } = await runUnit(['failing', 'not-loading'])
    expect(closing).toEqual([
      'failed:',
      `  ${fixtures}/failing.unit.mjs: fails`,
      `  ${fixtures}/not-loading.unit.mjs: outside of its tests`,
      '1 passed, 2 failed',
    ])
    expect(exitCode).toBe(1)
  })

  it('fails for an error that no test waited for', async () => {
    const { exitCode, closing } = await runUnit(['rejecting'])
    expect(closing).toEqual(['failed:', '  the unit tests: the runner ended with exit code 1', '1 passed, 1 failed'])
    expect(exitCode).toBe(1)
  })

  it('names what is skipped, and says of which part of the cases it took how much', async () => {
    const { exitCode, closing } = await runUnit(['skipping', 'sampling'])
    expect(closing).toEqual([
      'skipped:',
      `  ${fixtures}/skipping.unit.mjs: without its program › is skipped`,
      'sampled: steps of a walk 5 of 60',
      'SEED=7',
      '1 passed, 0 failed, 1 skipped',
    ])
    expect(exitCode).toBe(0)
  })

  it('takes everything with --all', async () => {
    const { closing } = await runUnit(['sampling'], '--all')
    expect(closing).toEqual(['sampled: steps of a walk 60 of 60', 'SEED=7', '1 passed, 0 failed'])
  })

  it('tells of the browser tests in the same way', async () => {
    const { exitCode, closing } = await run(['browser', '-c', `${fixtures}/browser.config.mjs`])
    expect(closing).toEqual(['failed:', `  ${fixtures}/all.browser.mjs:6: fails`, '1 passed, 1 failed'])
    expect(exitCode).toBe(1)
  })

  it('has not passed without a test', async () => {
    const { exitCode, closing } = await runUnit(['nothing-of-that-name'])
    expect(closing.at(-1)).toBe('0 passed, 1 failed')
    expect(exitCode).toBe(1)
  })
})

it('each drill is a file, and is taken once by five consecutive seeds', () => {
  expect(drills.filter((file) => !existsSync(file))).toEqual([])
  const taken = ['1000', '1001', '1002', '1003', '1004'].flatMap((seed) => {
    const leftOut = new Set(drillsLeftOut(seed))
    return drills.filter((file) => !leftOut.has(file))
  })
  expect(taken.sort()).toEqual([...drills].sort())
})

describe('in a whole run of CI, a skip', () => {
  const run = { isStrict: true, sampled: new Map(), seed: '7' }
  const passed = { file: 'a.test.ts', path: ['passes'], status: 'passed' }
  const { file, group } = expectedSkips.find((expected) => expected.group !== undefined)
  const skipped = { file, path: [group, 'a test'], status: 'skipped' }

  it('that is expected does not fail the run', () => {
    expect(closingLines([passed, skipped], run)).toEqual({
      lines: ['', 'skipped:', `  ${file}: ${group} › a test`, '', '1 passed, 0 failed, 1 skipped'],
      failed: 0,
    })
  })

  it('that is not expected fails the run', () => {
    const { lines, failed } = closingLines([passed, { ...skipped, path: ['another'] }, skipped], run)
    expect(lines).toContain('skipped, which scripts/tests/expected-skips.mjs does not expect:')
    expect(lines).toContain(`  ${file}: another`)
    expect(lines.at(-1)).toBe('1 passed, 1 failed, 1 skipped')
    expect(failed).toBe(1)
  })
})

function runUnit(names, ...options) {
  const paths = names.map((name) => `${fixtures}/${name}`)
  return run(['unit', ...paths, '--config', `${fixtures}/unit.config.mjs`, ...options])
}

/** @returns the exit code, and what is printed after the output of the tools, without empty lines */
async function run(args) {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_OPTIONS|NODE_ENV|ALL$)/.test(name))
  const env = { ...Object.fromEntries(own), CI: 'true', SEED: '7', FIXTURE_DIR: folder, TMPDIR: folder }
  const { exitCode, stdout } = await new Promise((resolve) => {
    const child = execFile(process.execPath, [runner, ...args], { env }, (_, stdout) =>
      resolve({ exitCode: child.exitCode, stdout }),
    )
  })
  const lines = stdout.split('\n')
  const last = lines.findLastIndex((line) => /^JSON report written|^ +\d+ passed \(/.test(line))
  return { exitCode, closing: lines.slice(last + 1).filter((line) => line.trim() !== '') }
}
