/** The conformance kit. Its runs take place at the same time, each at its own region, because they mostly wait. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { env as baseEnv, kill as endProcess, execPath } from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { canStartPythonRegion, freePort, startPythonRegion } from '@roomkeeper/dev-env'
import { capabilities } from '@roomkeeper/region-protocol'
import { type CheckOutcome, conformanceChecks, runConformance } from '@roomkeeper/region-protocol/conformance'
import { expect, test } from 'vitest'
import { countsWithout, lackingInPython } from './conformance-page.ts'
import { startMinimalRegion } from './minimal-region.ts'
import { eventually, newDataDir, regionEnv, regionProgram, startRegion, systemPassword } from './region-process.ts'

// shows: region-conformance
test.concurrent('the reference region passes every conformance check and keeps nothing of it', async ({
  onTestFinished,
}) => {
  let region = await startRegion()
  onTestFinished(() => region.remove())
  const restart = async () => {
    await region.kill()
    region = await region.again({ REGION_PORT: new URL(region.url).port })
  }
  const outcomes: CheckOutcome[] = []
  const target = { ...region.address, systemPassword, restart }
  const { passed, skipped, failed } = await runConformance(target, (outcome) => outcomes.push(outcome))
  expect(outcomes.filter(({ state }) => state === 'failed')).toEqual([])
  expect([failed, skipped]).toEqual([0, 0])
  expect(passed).toBe(conformanceChecks.length)
  expect((await region.client.status()).rooms).toBe(0)
  expect(existsSync('/tmp/climbed.db')).toBe(false)
  const written = await readdir(region.dataDir, { recursive: true })
  expect(written.filter((path) => !/^(files|region\.db.*|reserve|rooms|work)$/.test(path))).toEqual([])
}, 480_000)

const inPython = test.skipIf(!canStartPythonRegion())
inPython.concurrent(
  'the region in Python passes every check but those of what it lacks',
  async ({ onTestFinished }) => {
    const dataDir = await newDataDir()
    const region = await startPythonRegion({ name: 'python', dataDir })
    onTestFinished(async () => {
      await region.stop()
      await rm(dataDir, { recursive: true })
    })
    const failures: CheckOutcome[] = []
    const report = (outcome: CheckOutcome) => void (outcome.state === 'failed' && failures.push(outcome))
    const { passed, skipped } = await runConformance(region, report)
    expect(failures).toEqual([])
    expect({ passed, skipped }).toEqual(countsWithout(lackingInPython))
  },
  480_000,
)

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
  // The reference refuses all of that above, by the same jobs.
  const only = conformanceChecks.filter(({ page }) => page !== 'formats.md#what-is-refused').map(({ name }) => name)
  const target = { ...region.address, url: minimal.url, systemPassword }
  const report = (outcome: CheckOutcome) => void (outcome.state === 'failed' && failures.push(outcome))
  const { skipped } = await runConformance(target, report, { only, isFast: true })
  expect(failures).toEqual([])
  expect(skipped).toBeGreaterThanOrEqual(capabilities.length)
  // The record of a room that is not there is asked for by hand.
  expect(minimal.refused.filter((call) => !call.endsWith('/console-record'))).toEqual([])
}, 240_000)

// shows: region-conformance
test.concurrent('the kit fails, line by line, against what is no region', async ({ onTestFinished }) => {
  const region = await startRegion()
  onTestFinished(() => region.remove())
  const { code, printed } = await runKit(['--url', region.url, '--fast'], { REGION_PASSWORD: 'wrong password' })
  expect(code).toBe(1)
  expect(printed).toMatch(/^FAILED {2}signing in answers with a token/m)
  expect(printed).toMatch(/^\d+ passed, \d+ skipped, [1-9]\d* failed$/m)
}, 240_000)

test.concurrent('the kit restarts a region by a command, runs the checks that were chosen, and tells them as JSON', async ({
  onTestFinished,
}) => {
  const folder = await newDataDir()
  const pidFile = join(folder, 'pid')
  onTestFinished(async () => {
    endProcess(Number(await readFile(pidFile, 'utf8')))
    await rm(folder, { recursive: true })
  })
  const start = `"${execPath}" "${regionProgram}" >"${folder}/log" 2>&1 & echo $! >"${pidFile}"`
  const port = String(await freePort())
  const env = { ...regionEnv, REGION_DATA_DIR: folder, REGION_PORT: port }
  await once(spawn(start, { shell: true, env, stdio: 'ignore' }), 'exit')
  const url = `http://127.0.0.1:${port}`
  await eventually(() => fetch(url).catch(() => null))

  const restart = `kill -9 $(cat "${pidFile}"); ${start}`
  const { code, printed } = await runKit(
    ['--url', url, '--restart', restart, '--only', 'instanceId', '--only', 'console finds', '--json'],
    env,
  )
  const [instance, record, counts] = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const page = 'README.md#what-survives-a-restart'
  expect(instance).toMatchObject({ name: expect.stringContaining('instanceId'), page, state: 'passed', call: null })
  expect(record).toMatchObject({ name: expect.stringContaining('console finds'), state: 'passed' })
  expect(counts).toEqual({ passed: 2, skipped: 0, failed: 0 })
  expect(code).toBe(0)
}, 60_000)

test.concurrent('the kit names its checks and its options, and says what is wrong with them', async () => {
  const { code, printed } = await runKit(['--list', '--only', 'purge'])
  expect(code).toBe(0)
  for (const line of printed.trim().split('\n')) expect(line).toMatch(/purge.* · \w+\.md#[\w-]+( · \w+)*$/)
  expect(await runKit(['--help'])).toEqual({ code: 0, printed: expect.stringContaining('--restart <command>') })
  for (const wrong of [['--only', 'no such check'], ['--url', 'nowhere'], ['--nothing']])
    expect(await runKit(wrong), wrong.join(' ')).toEqual({ code: 2, printed: '' })
}, 60_000)

const kit = fileURLToPath(new URL('../../../packages/region-protocol/src/conformance/main.ts', import.meta.url))

/** @returns its exit code, and what it printed to stdout */
async function runKit(args: string[], env: Record<string, string | undefined> = {}) {
  const child = spawn(execPath, [kit, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 240_000,
    env: { ...baseEnv, ...env },
  })
  const [[code], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)])
  return { code, printed }
}
