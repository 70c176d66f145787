/** The conformance kit. Its two runs take place at the same time, each at its own region, because they mostly wait. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type CheckOutcome, runConformance } from '@roomkeeper/region-protocol/conformance'
import { expect, test } from 'vitest'
import { startRegion, systemPassword } from './region-process.ts'

// shows: region-conformance
test.concurrent('the reference region passes every conformance check and keeps no room of it', async ({
  onTestFinished,
}) => {
  const region = await startRegion()
  onTestFinished(() => region.remove())
  const outcomes: CheckOutcome[] = []
  const { passed, failed } = await runConformance({ ...region.address, systemPassword }, (outcome) =>
    outcomes.push(outcome),
  )
  expect(outcomes.filter(({ failure }) => failure !== null)).toEqual([])
  expect(failed).toBe(0)
  expect(passed).toBeGreaterThan(40)
  expect((await region.client.status()).rooms).toBe(0)
}, 240_000)

// shows: region-conformance
test.concurrent('the kit fails, line by line, against what is no region', async ({ onTestFinished }) => {
  const region = await startRegion()
  onTestFinished(() => region.remove())
  const kit = fileURLToPath(new URL('../../../packages/region-protocol/src/conformance/main.ts', import.meta.url))
  const wrong = [kit, '--url', region.url, '--user', 'superuser', '--password', 'wrong password']
  const child = spawn(process.execPath, wrong, { stdio: ['ignore', 'pipe', 'inherit'], timeout: 60_000 })
  const [[exitCode], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)])
  expect(exitCode).toBe(1)
  expect(printed).toMatch(/^FAILED {2}signing in answers with a token/m)
  expect(printed).toMatch(/^\d+ passed, [1-9]\d* failed$/m)
})
