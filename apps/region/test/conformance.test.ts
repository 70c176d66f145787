/** The conformance kit. Its runs take place at the same time, each at its own region, because they mostly wait. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { capabilities } from '@roomkeeper/region-protocol'
import { type CheckOutcome, runConformance } from '@roomkeeper/region-protocol/conformance'
import { expect, test } from 'vitest'
import { startMinimalRegion } from './minimal-region.ts'
import { startRegion, systemPassword } from './region-process.ts'

// shows: region-conformance
test.concurrent('the reference region passes every conformance check and keeps nothing of it', async ({
  onTestFinished,
}) => {
  const region = await startRegion()
  onTestFinished(() => region.remove())
  const outcomes: CheckOutcome[] = []
  const { passed, skipped, failed } = await runConformance({ ...region.address, systemPassword }, (outcome) =>
    outcomes.push(outcome),
  )
  expect(outcomes.filter(({ state }) => state === 'failed')).toEqual([])
  expect([failed, skipped]).toEqual([0, 0])
  expect(passed).toBeGreaterThan(40)
  expect((await region.client.status()).rooms).toBe(0)
  expect(existsSync('/tmp/climbed.db')).toBe(false)
  const written = await readdir(region.dataDir, { recursive: true })
  expect(written.filter((path) => /climbed|^work\//.test(path))).toEqual([])
}, 240_000)

test.concurrent('a region that lacks all it may lack passes, and is asked for none of it', async ({
  onTestFinished,
}) => {
  const region = await startRegion()
  const minimal = await startMinimalRegion(region.url)
  onTestFinished(async () => {
    minimal.stop()
    await region.remove()
  })
  const failures: CheckOutcome[] = []
  const { skipped } = await runConformance({ ...region.address, url: minimal.url, systemPassword }, (outcome) => {
    if (outcome.state === 'failed') failures.push(outcome)
  })
  expect(failures).toEqual([])
  expect(skipped).toBeGreaterThanOrEqual(capabilities.length)
  // The record of a room that is not there is asked for by hand.
  expect(minimal.refused.filter((call) => !call.endsWith('/console-record'))).toEqual([])
}, 240_000)

// shows: region-conformance
test.concurrent('the kit fails, line by line, against what is no region', async ({ onTestFinished }) => {
  const region = await startRegion()
  onTestFinished(() => region.remove())
  const kit = fileURLToPath(new URL('../../../packages/region-protocol/src/conformance/main.ts', import.meta.url))
  const child = spawn(process.execPath, [kit, '--url', region.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 240_000,
    env: { ...process.env, REGION_PASSWORD: 'wrong password' },
  })
  const [[exitCode], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)])
  expect(exitCode).toBe(1)
  expect(printed).toMatch(/^FAILED {2}signing in answers with a token/m)
  expect(printed).toMatch(/^\d+ passed, \d+ skipped, [1-9]\d* failed$/m)
}, 240_000)
