/** The conformance kit: checks that any implementation of the region protocol can be run against. */
import { type Check, CheckFailed, type ConformanceTarget, createRegionUnderTest } from './check.ts'
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
import { ticketChecks } from './checks/ticket-checks.ts'
import { verifyChecks } from './checks/verify-checks.ts'

export type { ConformanceTarget } from './check.ts'
export { sourceOf } from './checks/source-of.ts'

export const conformanceChecks: readonly Check[] = [
  ...signInChecks,
  ...roomChecks,
  ...lockChecks,
  ...sessionChecks,
  ...jobChecks,
  ...replaceChecks,
  ...verifyChecks,
  ...purgeChecks,
  ...fileChecks,
  ...followedFileChecks,
  ...ticketChecks,
  ...straightBackupChecks,
  ...routeChecks,
]

export interface CheckOutcome {
  name: string
  /** What was expected and what the region did; null: passed. */
  failure: string | null
}

/** Runs all checks one after another and removes what they made. */
export async function runConformance(
  target: ConformanceTarget,
  report: (outcome: CheckOutcome) => void,
): Promise<{ passed: number; failed: number }> {
  const region = createRegionUnderTest({ ...target, url: target.url.replace(/\/+$/, '') })
  const outcomes: CheckOutcome[] = []
  const add = (name: string, failure: string | null) => {
    outcomes.push({ name, failure })
    report({ name, failure })
  }
  for (const check of conformanceChecks) add(check.name, await failureOf(() => check.run(region)))
  const left = await failureOf(() => region.cleanUp())
  if (left !== null) add('the rooms of the checks are removed', left)
  const failed = outcomes.filter(({ failure }) => failure !== null).length
  return { passed: outcomes.length - failed, failed }
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
