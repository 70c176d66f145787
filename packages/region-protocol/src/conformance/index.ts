/** The conformance kit: checks that any implementation of the region protocol can be run against. */
import type { SharedLogin } from '../client.ts'
import { type Check, CheckFailed, CheckSkipped } from './check.ts'
import { capabilityChecks } from './checks/capability-checks.ts'
import { fileChecks } from './checks/file-checks.ts'
import { followedFileChecks } from './checks/followed-file-checks.ts'
import { jobChecks } from './checks/job-checks.ts'
import { lockChecks } from './checks/lock-checks.ts'
import { purgeChecks } from './checks/purge-checks.ts'
import { replaceChecks } from './checks/replace-checks.ts'
import { roomChecks } from './checks/room-checks.ts'
import { routeChecks } from './checks/route-checks.ts'
import { sessionChecks } from './checks/session-checks.ts'
import { signInChecks } from './checks/sign-in-checks.ts'
import { straightBackupChecks } from './checks/straight-backup-checks.ts'
import { vectorChecks } from './checks/vector-checks.ts'
import { verifyChecks } from './checks/verify-checks.ts'
import { type ConformanceTarget, createRegionUnderTest, lacking, type RegionUnderTest } from './region-under-test.ts'

export type { Check } from './check.ts'
export { sourceOf } from './checks/source-of.ts'
export { type ConformanceTarget, newCreation } from './region-under-test.ts'

export const conformanceChecks: readonly Check[] = [
  ...signInChecks,
  ...capabilityChecks,
  ...roomChecks,
  ...lockChecks,
  ...sessionChecks,
  ...jobChecks,
  ...replaceChecks,
  ...verifyChecks,
  ...purgeChecks,
  ...fileChecks,
  ...followedFileChecks,
  ...straightBackupChecks,
  ...routeChecks,
  ...vectorChecks,
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

/** Runs the checks and removes what they made. Those that wait go on beside the others; those that restart come last. */
export async function runConformance(
  target: ConformanceTarget,
  report: (outcome: CheckOutcome) => void,
  options: ConformanceOptions = {},
): Promise<{ passed: number; skipped: number; failed: number }> {
  const counts = { passed: 0, skipped: 0, failed: 0 }
  const login: SharedLogin = { token: null }
  const address = { ...target, url: target.url.replace(/\/+$/, '') }
  const conclude = async (check: Check) => {
    const outcome = await outcomeOf(check, createRegionUnderTest(address, login), options)
    counts[outcome.state] += 1
    report(outcome)
  }
  const checks = checksNamed(options.only)
  const waiting = checks.filter(({ how }) => how === 'waits').map(conclude)
  for (const check of checks.filter(({ how }) => how === undefined)) await conclude(check)
  await Promise.all(waiting)
  for (const check of checks.filter(({ how }) => how === 'restarts')) await conclude(check)
  return counts
}

/** @returns all without `only` */
export function checksNamed(only: readonly string[] = []): Check[] {
  return conformanceChecks.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
}

async function outcomeOf(check: Check, region: RegionUnderTest, options: ConformanceOptions): Promise<CheckOutcome> {
  const as = (state: CheckOutcome['state'], text: string | null, call: string | null = null): CheckOutcome => ({
    check,
    state,
    text,
    call,
  })
  if (check.how === 'waits' && options.isFast === true) return as('skipped', 'it waits, and --fast leaves that out')
  if (check.how === 'restarts' && region.target.restart === undefined)
    return as('skipped', '--restart does not say how the region is restarted')
  try {
    const missing = await lacking(region, check.needs ?? [])
    if (missing !== null) return as('skipped', `the region does not offer ${missing}`)
    await check.run(region)
    await region.cleanUp()
    return as('passed', region.noted())
  } catch (error) {
    const call = await region.lastCall()
    // The failure of the check says more than that of the removal after it.
    await region.cleanUp().catch(() => {})
    if (error instanceof CheckSkipped) return as('skipped', error.message)
    return as('failed', textOf(error), call)
  }
}

function textOf(error: unknown): string {
  if (error instanceof CheckFailed) return error.message
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
