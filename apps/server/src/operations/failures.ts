/** Sorts what a step may throw: worth another try, final, or a sign that this worker lost the operation. */
import type { RefusalCode } from '@roomkeeper/contract'
import { RegionJobFailed, RegionRefusal, RegionUnreachable, shownText } from '@roomkeeper/region-protocol'
import { databaseIsUnreachable, statementWasEnded, wasDeadlocked } from '#platform/database-errors.ts'
import { FileMissing } from '#platform/file-store/file-missing.ts'
import { Refusal } from '#platform/refuse.ts'

/** A step's own final failure; the text is shown to people. `sort`: what the kind's `failed` needs to know about it. */
export class StepFailed extends Error {
  readonly sort: string | null
  constructor(text: string, sort: string | null = null) {
    super(text)
    this.sort = sort
  }
}

/**
 * An undo's finding: what the step did has taken effect all the same, nothing puts it back, and nothing is owed. The
 * step counts as undone, a retry does it again, and people are told beside why the operation failed. One that was
 * cancelled has failed then.
 */
export class TookEffect extends Error {}

/** No failure: what the step waits for has not come yet. It is tried again as after a failure that may pass. */
export class NotYet extends Error {}

/** Another worker has taken the operation over: this one must not touch anything any more. */
export class Overtaken extends Error {
  constructor() {
    super('Another worker has taken this operation over.')
  }
}

/** This process stops: others go on with the operation, and nothing is undone here. */
export class LeftToOthers extends Error {
  constructor() {
    super('This process stops and leaves the operation to others.')
  }
}

/** What people are told of an error that nobody expected. */
export const ourMistake = 'Something went wrong on our side; the log of the server says what.'

/**
 * `outage`: of the database. It is waited for, however long it takes. `denied`: a region says that another worker has
 * taken the operation over, which only the record knows.
 */
export type Verdict =
  | { kind: 'overtaken' }
  | { kind: 'denied'; reason: string }
  | { kind: 'outage'; reason: string }
  | { kind: 'passing' | 'final'; reason: string; sort?: string | null }

const passingRefusals = new Set<RefusalCode>(['object-store-unreachable', 'database-unreachable', 'database-busy'])

const denied = 'The region says that another worker has taken the operation over; by the record none has.'

/** Of what an operation says; some of it are words from elsewhere. */
export const longestText = 10_000

export function judge(error: unknown): Verdict {
  const verdict = verdictOn(error)
  if (verdict.kind === 'overtaken') return verdict
  return { ...verdict, reason: shownText(verdict.reason, longestText) }
}

function verdictOn(error: unknown): Verdict {
  if (error instanceof Overtaken) return { kind: 'overtaken' }
  if (error instanceof RegionRefusal) {
    if (error.type === 'urn:roomkeeper-region:overtaken') return { kind: 'denied', reason: denied }
    return { kind: error.passing ? 'passing' : 'final', reason: error.message }
  }
  if (error instanceof RegionJobFailed) return { kind: error.passing ? 'passing' : 'final', reason: error.message }
  if (error instanceof RegionUnreachable) return { kind: 'passing', reason: error.message }
  if (error instanceof Refusal && passingRefusals.has(error.code)) return { kind: 'passing', reason: error.message }
  if (error instanceof NotYet) return { kind: 'passing', reason: error.message }
  if (error instanceof StepFailed) return { kind: 'final', reason: error.message, sort: error.sort }
  if (error instanceof FileMissing) return { kind: 'final', reason: error.message }
  if (error instanceof Refusal) return { kind: 'final', reason: error.message }
  if (statementWasEnded(error)) return { kind: 'outage', reason: 'The database ended a statement that took too long.' }
  if (databaseIsUnreachable(error)) return { kind: 'outage', reason: 'The database cannot be reached.' }
  if (wasDeadlocked(error)) return { kind: 'passing', reason: 'Another change to the same records was in the way.' }
  return { kind: 'final', reason: ourMistake }
}

/** An error that only a mistake in the code explains; it belongs into the server's log. */
export function isUnexpected(error: unknown): boolean {
  return !(
    error instanceof Overtaken ||
    error instanceof RegionRefusal ||
    error instanceof RegionJobFailed ||
    error instanceof RegionUnreachable ||
    error instanceof StepFailed ||
    error instanceof NotYet ||
    error instanceof FileMissing ||
    error instanceof Refusal ||
    databaseIsUnreachable(error) ||
    wasDeadlocked(error)
  )
}
