/** Classifies what a step may throw: transient, final, or a sign that this worker has lost the operation. */
import type { RefusalCode } from '@roomkeeper/contract'
import { cleanText, RegionJobFailed, RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
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
 * Thrown by an undo that finds that its step has taken effect after all, and that this is acceptable. The step counts
 * as undone, a retry runs it again, and the message is shown beside the reason of the failure. A cancelled operation
 * counts as failed then.
 */
export class TookEffect extends Error {}

/** Not a failure: what the step waits for has not happened yet. It is tried again as after a transient failure. */
export class NotYet extends Error {}

/** Another worker has taken the operation over: this one must not touch anything any more. */
export class Overtaken extends Error {
  constructor() {
    super('Another worker has taken this operation over.')
  }
}

/** This process stops: another worker goes on with the operation, and nothing is undone here. */
export class HandedOver extends Error {
  constructor() {
    super('This process stops and leaves the operation to others.')
  }
}

/** What people see of an unexpected error. */
export const unexpectedErrorText = 'Something went wrong on our side; the log of the server says what.'

/**
 * `outage`: the database cannot be reached; the step waits for it, however long it takes. `denied`: a region says that
 * another worker has taken the operation over, which only the record knows.
 */
export type Verdict =
  | { kind: 'overtaken' }
  | { kind: 'denied'; reason: string }
  | { kind: 'outage'; reason: string }
  | { kind: 'transient' | 'final'; reason: string; sort?: string | null }

const transientRefusals = new Set<RefusalCode>(['object-store-unreachable', 'database-unreachable', 'database-busy'])

const denied = 'The region says that another worker has taken the operation over; by the record none has.'

/** For texts of an operation: some of them come from regions and stores. */
export const longestText = 10_000

export function classifyFailure(error: unknown): Verdict {
  const verdict = verdictFor(error)
  if (verdict.kind === 'overtaken') return verdict
  return { ...verdict, reason: cleanText(verdict.reason, longestText) }
}

function verdictFor(error: unknown): Verdict {
  if (error instanceof Overtaken) return { kind: 'overtaken' }
  if (error instanceof RegionRefusal) {
    if (error.type === 'urn:roomkeeper-region:overtaken') return { kind: 'denied', reason: denied }
    return { kind: error.isTransient ? 'transient' : 'final', reason: error.message }
  }
  if (error instanceof RegionJobFailed)
    return { kind: error.isTransient ? 'transient' : 'final', reason: error.message }
  if (error instanceof RegionUnreachable) return { kind: 'transient', reason: error.message }
  if (error instanceof Refusal && transientRefusals.has(error.code)) return { kind: 'transient', reason: error.message }
  if (error instanceof NotYet) return { kind: 'transient', reason: error.message }
  if (error instanceof StepFailed) return { kind: 'final', reason: error.message, sort: error.sort }
  if (error instanceof FileMissing) return { kind: 'final', reason: error.message }
  if (error instanceof Refusal) return { kind: 'final', reason: error.message }
  if (statementWasEnded(error)) return { kind: 'outage', reason: 'The database ended a statement that took too long.' }
  if (databaseIsUnreachable(error)) return { kind: 'outage', reason: 'The database cannot be reached.' }
  if (wasDeadlocked(error)) return { kind: 'transient', reason: 'Another change to the same records was in the way.' }
  return { kind: 'final', reason: unexpectedErrorText }
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
