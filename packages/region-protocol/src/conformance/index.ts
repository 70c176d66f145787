/** The conformance kit: checks that any implementation of the region protocol can be run against. */
import { setTimeout as pause } from 'node:timers/promises'
import { RegionJobFailed, RegionRefusal, WrongForm } from '../client/errors.ts'
import type { SharedLogin } from '../client.ts'
import { cleanText } from '../texts.ts'
import { type AfterRestart, type Check, CheckFailed, CheckSkipped, type RestartCheck } from './check.ts'
import { answerChecks } from './checks/answer-checks.ts'
import { backupChecks } from './checks/backup-checks.ts'
import { capabilityChecks } from './checks/capability-checks.ts'
import { databaseChecks } from './checks/database-checks.ts'
import { documentChecks } from './checks/document-checks.ts'
import { fileChecks } from './checks/file-checks.ts'
import { followedFileChecks } from './checks/followed-file-checks.ts'
import { jobChecks } from './checks/job-checks.ts'
import { killChecks } from './checks/kill-checks.ts'
import { lockChecks } from './checks/lock-checks.ts'
import { objectStoreChecks } from './checks/object-store-checks.ts'
import { purgeChecks } from './checks/purge-checks.ts'
import { replaceChecks } from './checks/replace-checks.ts'
import { restartChecks } from './checks/restart-checks.ts'
import { roomChecks } from './checks/room-checks.ts'
import { routeChecks } from './checks/route-checks.ts'
import { sessionChecks } from './checks/session-checks.ts'
import { signInChecks } from './checks/sign-in-checks.ts'
import { straightBackupChecks } from './checks/straight-backup-checks.ts'
import { vectorChecks } from './checks/vector-checks.ts'
import { verifyChecks } from './checks/verify-checks.ts'
import { type ConformanceTarget, createRegionUnderTest, lacking, type RegionUnderTest } from './region-under-test.ts'

export type { Check } from './check.ts'
export { type ConformanceTarget, newCreation } from './region-under-test.ts'
export { sourceOf } from './source-of.ts'

export const conformanceChecks: readonly Check[] = [
  ...signInChecks,
  ...answerChecks,
  ...capabilityChecks,
  ...roomChecks,
  ...lockChecks,
  ...sessionChecks,
  ...jobChecks,
  ...backupChecks,
  ...databaseChecks,
  ...documentChecks,
  ...objectStoreChecks,
  ...replaceChecks,
  ...verifyChecks,
  ...purgeChecks,
  ...fileChecks,
  ...followedFileChecks,
  ...straightBackupChecks,
  ...routeChecks,
  ...vectorChecks,
  ...restartChecks,
  ...killChecks,
]

export interface CheckOutcome {
  check: Check
  state: 'passed' | 'skipped' | 'failed'
  /** What was expected and what the region did; why it was skipped; what is worth knowing of a pass. Null: nothing. */
  text: string | null
  /** Of a failure: the last call and its answer. */
  call: string | null
}

export interface ConformanceOptions {
  /** Only checks whose name has one of these in it; default: all. */
  only?: readonly string[]
  /** Without the checks that wait for what takes its time. */
  isFast?: boolean
}

/** Runs the checks and removes what they made. Those that wait go on beside the others; those that kill come last. */
export async function runConformance(
  target: ConformanceTarget,
  report: (outcome: CheckOutcome) => void,
  options: ConformanceOptions = {},
): Promise<{ passed: number; skipped: number; failed: number }> {
  const counts = { passed: 0, skipped: 0, failed: 0 }
  const login: SharedLogin = { token: null }
  const address = { ...target, url: target.url.replace(/\/+$/, '') }
  const common = createRegionUnderTest(address, login)
  const newRegion = () => createRegionUnderTest(address, login, common)
  const conclude = async (check: Check, region: RegionUnderTest, run: () => Promise<unknown>) => {
    const { state, text, call } = await outcomeOf(check, region, run)
    const printable = (said: string | null) => said && withoutSecrets(said, address, login)
    counts[state] += 1
    report({ check, state, text: printable(text), call: printable(call) })
  }
  const runAlone = (check: Check) => {
    const region = newRegion()
    return conclude(check, region, () => runUnlessSkipped(check, region, options))
  }
  const checks = checksNamed(options.only)
  const waiting = checks.filter(({ how }) => how === 'waits').map(runAlone)
  const rest = checks.filter(({ how }) => how === undefined).values()
  const runOneByOne = async () => {
    for (const check of rest) await runAlone(check)
  }
  await Promise.all(Array.from({ length: atOnce }, runOneByOne))
  await Promise.all(waiting)
  await runAroundRestart(checks.filter(isRestartCheck))
  for (const check of checks.filter(({ how }) => how === 'kills')) await runAlone(check)
  // A region that cannot be reached at the end has failed checks, which say more.
  await inTime(common.cleanUp()).catch(() => {})
  return counts

  async function runAroundRestart(those: RestartCheck[]): Promise<void> {
    if (those.length === 0) return
    const prepared: { check: Check; region: RegionUnderTest; after: AfterRestart }[] = []
    for (const check of those) {
      const region = newRegion()
      const after = await runUnlessSkipped(check, region, options).catch(
        (error: unknown) => () => Promise.reject(error),
      )
      prepared.push({ check, region, after: after as AfterRestart })
    }
    const restarted = address.restart === undefined ? Promise.resolve() : common.restart()
    for (const { check, region, after } of prepared)
      await conclude(check, region, () => restarted.then(() => inTime(after())))
  }
}

/** Checks mostly wait for the disk of the region. */
const atOnce = 3

const isRestartCheck = (check: Check): check is RestartCheck => check.how === 'restarts'

/** @returns all without `only` */
export function checksNamed(only: readonly string[] = []): Check[] {
  return conformanceChecks.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
}

/** @throws {CheckSkipped} when the check says nothing about this region */
async function runUnlessSkipped(check: Check, region: RegionUnderTest, { isFast }: ConformanceOptions) {
  const { how, needs = [] } = check
  if (how === 'waits' && isFast === true) throw new CheckSkipped('it waits, and --fast leaves that out')
  if ((how === 'restarts' || how === 'kills') && region.target.restart === undefined)
    throw new CheckSkipped('--restart does not say how the region is restarted')
  const missing = await lacking(region, needs)
  if (missing !== null) throw new CheckSkipped(`the region does not offer ${missing}`)
  return inTime<unknown>(check.run(region))
}

/** Jobs that never end would keep the kit for hours. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const late = pause(longestMinutes * 60_000, undefined, ended).then((): never => {
    throw new CheckFailed(`expected an end within ${longestMinutes} minutes, got none`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    late.catch(() => {})
    ended.abort()
  }
}

/** Far longer than any check takes. */
const longestMinutes = 10

async function outcomeOf(check: Check, region: RegionUnderTest, run: () => Promise<unknown>): Promise<CheckOutcome> {
  const as = (state: CheckOutcome['state'], text: string | null, call: string | null = null): CheckOutcome => ({
    check,
    state,
    text,
    call,
  })
  try {
    await run()
    await inTime(region.cleanUp())
    return as('passed', region.noted())
  } catch (error) {
    const call = await region.lastCall()
    // The failure of the check says more than that of the removal after it.
    await inTime(region.cleanUp()).catch(() => {})
    if (error instanceof CheckSkipped) return as('skipped', error.message)
    return as('failed', textOf(error), call)
  }
}

function textOf(error: unknown): string {
  if (error instanceof CheckFailed || error instanceof WrongForm) return error.message
  const isOfJob = error instanceof RegionJobFailed
  if (isOfJob || error instanceof RegionRefusal)
    return `${isOfJob ? 'a job ended' : 'refused'} with ${error.status} ${error.type}: ${error.message}`
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** Answers of a region may repeat the passwords that it was sent, and hold characters that no terminal should get. */
function withoutSecrets(text: string, { password, systemPassword }: ConformanceTarget, { token }: SharedLogin): string {
  let cleaned = text
    .split('\n')
    .map((line) => cleanText(line))
    .join('\n')
  for (const secret of [password, systemPassword, token])
    if (secret)
      for (const spelled of [secret, JSON.stringify(secret).slice(1, -1)]) cleaned = cleaned.replaceAll(spelled, '…')
  return cleaned
}
