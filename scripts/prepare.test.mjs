import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runUntilItEnds } from './prepare.mjs'

/** Notes each of its runs in the file `$1`, and hangs in all before run number `$2`. */
const hangs = 'echo run >> "$1"; [ "$(wc -l < "$1")" -ge "$2" ] || exec sleep 60'

describe('a program that may hang', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'prepare-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const runsUntil = (endsInRun, options) => {
    const runs = join(folder, 'runs')
    const result = runUntilItEnds('sh', ['-c', hangs, 'sh', runs, String(endsInRun)], options)
    return { ...result, runs: readFileSync(runs, 'utf8').trim().split('\n').length }
  }

  test('is ended and run again, until it ends by itself', () => {
    expect(runsUntil(2, { timeout: 2000, tries: 3 })).toMatchObject({ status: 0, runs: 2 })
  })

  test('is given up after the last try', () => {
    expect(runsUntil(9, { timeout: 2000, tries: 2 })).toMatchObject({ error: { code: 'ETIMEDOUT' }, runs: 2 })
  })

  test('is run once if it ends, whatever its exit code', () => {
    const options = { timeout: 10_000, tries: 3 }
    expect(runUntilItEnds('sh', ['-c', 'exit 3'], options)).toMatchObject({ status: 3 })
  })
})
