/** The conformance kit: checks that any implementation of the region protocol can be run against. */
import { type Check, CheckFailed, type ConformanceTarget, createRegionUnderTest } from './check.ts'
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
import { verifyChecks } from './checks/verify-checks.ts'

export { type ConformanceTarget, newCreation } from './check.ts'
export { sourceOf } from './checks/source-of.ts'

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
]

export interface CheckOutcome {
  name: string
  /** What was expected and what the region did; null: passed, or skipped. */
  failure: string | null
  /** The region lacks a capability that the check needs. */
  isSkipped: boolean
}

/** Runs all checks one after another and removes what they made. */
export async function runConformance(
  target: ConformanceTarget,
  report: (outcome: CheckOutcome) => void,
): Promise<{ passed: number; skipped: number; failed: number }> {
  const region = createRegionUnderTest({ ...target, url: target.url.replace(/\/+$/, '') })
  const counts = { passed: 0, skipped: 0, failed: 0 }
  const add = (outcome: CheckOutcome) => {
    counts[outcome.isSkipped ? 'skipped' : outcome.failure === null ? 'passed' : 'failed'] += 1
    report(outcome)
  }
  for (const { name, needs = [], run } of conformanceChecks) {
    let isSkipped = false
    const failure = await failureOf(async () => {
      for (const capability of needs) isSkipped ||= !(await region.client.offers(capability))
      if (!isSkipped) await run(region)
    })
    add({ name, failure, isSkipped })
  }
  const left = await failureOf(() => region.cleanUp())
  if (left !== null) add({ name: 'the rooms of the checks are removed', failure: left, isSkipped: false })
  return counts
}

async function failureOf(run: () => Promise<void>): Promise<string | null> {
  try {
    await run()
    return null
  } catch (error) {
    if (error instanceof CheckFailed) return error.message
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}
