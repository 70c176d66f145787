/** Classifies the errors of steps: transient, final, or a sign that this worker has lost the operation. */
import { because, type CodedReason, englishReasons, type Reasons, type RefusalCode } from '@roomkeeper/contract'
import {
  insufficientStorage,
  NotARegion,
  RegionJobFailed,
  RegionRefusal,
  RegionUnreachable,
  refusalTypePrefix,
  TransferTooSlow,
  WrongServer,
} from '@roomkeeper/region-protocol'
import { databaseIsUnreachable, statementWasEnded, wasDeadlocked } from '#platform/database-errors.ts'
import { FileMissing } from '#platform/file-store.ts'
import { Refusal } from '#platform/refuse.ts'
import { shownReasons } from '#platform/stored-reasons.ts'

/** A failure whose reasons the console shows in the operator's language; the message is their English text. */
abstract class CodedFailure extends Error {
  readonly reasons: Reasons
  constructor(reasons: CodedReason | Reasons) {
    const all = 'code' in reasons ? [reasons] : reasons
    super(englishReasons(all))
    this.reasons = all
  }
}

/** A final failure that a step reports. `failureCode` tells the kind's `failed` which failure it is. */
export class StepFailed extends CodedFailure {
  readonly failureCode: string | null
  constructor(reasons: CodedReason | Reasons, failureCode: string | null = null) {
    super(reasons)
    this.failureCode = failureCode
  }
}

/**
 * Thrown by an undo that finds that its step has taken effect after all, and that this is acceptable. The step counts
 * as undone, a retry runs it again, and people see the message beside the reason of the failure. A cancelled operation
 * then counts as failed.
 */
export class TookEffect extends CodedFailure {}

/** Not a failure: what the step waits for has not happened yet. The step is retried as after a transient failure. */
export class NotYet extends CodedFailure {}

/** A region does not accept the login that the console has stored for it. */
export class RegionLoginRefused extends RegionRefusal {
  override readonly region: string
  constructor(region: string, { status, type, message }: RegionRefusal) {
    super(status, type, message)
    this.region = region
  }
}

/** Another worker has taken the operation over: this worker must not touch anything again. */
export class Overtaken extends Error {
  constructor() {
    super('Another worker has taken this operation over.')
  }
}

/** This process is stopping: another worker continues the operation, and nothing is undone here. */
export class HandedOver extends Error {
  constructor() {
    super('This process stops and leaves the operation to others.')
  }
}

/** The text that people see for an unexpected error. */
export const unexpectedError: Reasons = [because('something-went-wrong')]

/**
 * `outage`: the database cannot be reached; the step waits for it, however long that takes. `denied`: a region says
 * that another worker has taken the operation over, but only the record can tell.
 */
export type Verdict =
  | { kind: 'overtaken' }
  | { kind: 'denied'; reasons: Reasons }
  | { kind: 'outage'; reasons: Reasons }
  | { kind: 'transient' | 'final'; reasons: Reasons; failureCode?: string | null }

const transientRefusals = new Set<RefusalCode>([
  'object-store-unreachable',
  'other-store',
  'backup-in-use',
  'database-unreachable',
  'database-busy',
])

export function classifyFailure(error: unknown): Verdict {
  const verdict = verdictFor(error)
  if (verdict.kind === 'overtaken') return verdict
  return { ...verdict, reasons: shownReasons(verdict.reasons) }
}

function verdictFor(error: unknown): Verdict {
  if (error instanceof Overtaken) return { kind: 'overtaken' }
  if (isOfRegion(error)) {
    const isOvertaken = error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:overtaken'
    if (isOvertaken) return { kind: 'denied', reasons: [because('taken-over-by-region')] }
    return { kind: error.isTransient ? 'transient' : 'final', reasons: [toldByRegion(error)] }
  }
  if (error instanceof NotYet) return { kind: 'transient', reasons: error.reasons }
  if (error instanceof StepFailed) return { kind: 'final', reasons: error.reasons, failureCode: error.failureCode }
  if (error instanceof FileMissing) return { kind: 'final', reasons: [because('file-missing', { file: error.key })] }
  if (error instanceof Refusal)
    return { kind: transientRefusals.has(error.code) ? 'transient' : 'final', reasons: [error.reason] }
  if (statementWasEnded(error)) return { kind: 'outage', reasons: [because('database-ended-statement')] }
  if (databaseIsUnreachable(error)) return { kind: 'outage', reasons: [because('database-away')] }
  if (wasDeadlocked(error)) return { kind: 'transient', reasons: [because('database-change-in-the-way')] }
  return { kind: 'final', reasons: unexpectedError }
}

type RegionError = RegionRefusal | RegionJobFailed | RegionUnreachable

function isOfRegion(error: unknown): error is RegionError {
  return error instanceof RegionRefusal || error instanceof RegionJobFailed || error instanceof RegionUnreachable
}

/** Refusals of files, which are the same however often the file is sent. */
const fileRefusals: ReadonlySet<string> = new Set(
  ['damaged-file', 'wrong-content', 'product-differs', 'schema-too-new'].map((type) => refusalTypePrefix + type),
)

/** The region's own words for its answers; our words where operators have to act, or the region could not be asked. */
export function toldByRegion(error: RegionError): CodedReason {
  if (error instanceof RegionLoginRefused) return because('region-refused-login', { region: error.region })
  if (error instanceof RegionUnreachable) return unreachable(error)
  if (error.type === `${refusalTypePrefix}wrong-password`) return because('wrong-export-password')
  if (fileRefusals.has(error.type)) return because('file-not-usable', { told: error.message })
  const { region, message: told } = error
  if (region === null) return because('told-by-region', { told })
  if (error.status === insufficientStorage) return because('region-storage-full', { region })
  return because('told-by-named-region', { region, told })
}

/** Names the region where it is known which one it is. */
function unreachable(error: RegionUnreachable): CodedReason {
  const { region } = error
  if (error instanceof TransferTooSlow)
    return region === null ? because('file-too-slow') : because('file-of-region-too-slow', { region })
  if (error instanceof WrongServer)
    return region === null ? because('another-server') : because('another-server-as-region', { region })
  if (error instanceof NotARegion && error.instead204 === null) {
    const { status } = error
    return region === null
      ? because('another-program-answers', { status })
      : because('another-program-as-region', { region, status })
  }
  const { reason } = error
  return region === null
    ? because('region-unreachable', { error: reason })
    : because('named-region-unreachable', { region, error: reason })
}

/** What an expected error says, for the log of a step that goes on without what failed. */
export function reasonsOf(error: RegionError | CodedFailure | Refusal): Reasons {
  if (error instanceof CodedFailure) return error.reasons
  return [error instanceof Refusal ? error.reason : toldByRegion(error)]
}

/** True for an error that only a bug can explain; it belongs in the server's log. */
export function isUnexpected(error: unknown): boolean {
  return !(
    error instanceof Overtaken ||
    isOfRegion(error) ||
    error instanceof StepFailed ||
    error instanceof NotYet ||
    error instanceof FileMissing ||
    error instanceof Refusal ||
    databaseIsUnreachable(error) ||
    wasDeadlocked(error)
  )
}
