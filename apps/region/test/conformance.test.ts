import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type CheckOutcome, runConformance } from '@roomkeeper/region-protocol/conformance'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RegionProcess, startRegion, systemPassword } from './region-process.ts'

let region: RegionProcess
beforeAll(async () => {
  region = await startRegion()
})
afterAll(() => region.remove())

// shows: region-conformance
test('the reference region passes every conformance check and keeps no room of it', async () => {
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
test('the kit fails, line by line, against what is no region', () => {
  const kit = fileURLToPath(new URL('../../../packages/region-protocol/src/conformance/main.ts', import.meta.url))
  const wrong = [kit, '--url', region.url, '--user', 'superuser', '--password', 'wrong password']
  const { status, stdout } = spawnSync(process.execPath, wrong, { encoding: 'utf8', timeout: 60_000 })
  expect(status).toBe(1)
  expect(stdout).toMatch(/^FAILED {2}signing in answers with a token/m)
  expect(stdout).toMatch(/^\d+ passed, [1-9]\d* failed$/m)
})
