/**
 * Limits how long a step is retried. The time counts from the first of an unbroken series of transient failures,
 * whichever workers meet them; the time before does not count. A step that gets a hundredth further than ever before
 * starts a new series, so that it can continue with a slow region.
 */
import type { Reasons } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import { openJump } from '#platform/steady-time.ts'
import { Overtaken } from './failures.ts'
import type { Step } from './operation.ts'
import type { Claim, FailingStep } from './operation-record.ts'
import { type OperationRun, retryWrite } from './runner.ts'

export interface TransientFailures {
  /** The number of failed tries in this process since the step last got further. */
  tries: number
  /**
   * Records another failure. @returns whether the limit is reached
   * @param pauseMilliseconds the next try comes after this time, if the limit is not reached
   */
  isTooLong(reasons: Reasons, pauseMilliseconds: number): Promise<boolean>
  /** Records how much of the step is done, 0 to 1. Small steps of progress add up until they reach `leastStep`. */
  reached(share: number): Promise<void>
  /** To be called when the step is not tried again. */
  end(): Promise<void>
}

/** A step that is being run, or undone. */
export interface StepToTry extends OperationRun {
  position: number
  step: Step<unknown>
  /** An undo cannot be cancelled. */
  undoing: boolean
  /** The series of transient failures that the step was in when this process took it over. */
  failing: FailingStep | null
}

const retryMinutes = 15
const leastStep = 0.01

export function trackTransientFailures(run: StepToTry): TransientFailures {
  const { claim, position, undoing } = run
  const { db } = run.runner.database
  let isFailing = run.failing !== null
  /** By the clock of this process, which does not jump. */
  let failedFirstAt: number | null = null
  let furthest = run.failing?.furthest ?? 0
  return {
    tries: 0,
    async isTooLong(reasons, pauseMilliseconds) {
      const failed = { position, undoing, furthest, reasons, pauseMilliseconds }
      const seconds = await retryWrite(run, () => recordFailing(db, claim, failed))
      isFailing = true
      failedFirstAt ??= performance.now()
      const limit = (run.step.retry?.minutes ?? retryMinutes) * 60
      if (seconds <= limit) return false
      // After a jump of the time, the database's says nothing.
      return (performance.now() - failedFirstAt) / 1000 > limit || (await retryWrite(run, () => openJump(db))) === null
    },
    async reached(share) {
      // Progress of an undo is not recorded.
      if (undoing || share < furthest + leastStep) return
      furthest = share
      failedFirstAt = null
      if (!isFailing) return
      await retryWrite(run, () => forgetFailing(db, claim, position))
      isFailing = false
      this.tries = 0
    },
    async end() {
      if (isFailing) await retryWrite(run, () => forgetNextTry(db, claim, position))
    },
  }
}

interface FailingTry {
  position: number
  undoing: boolean
  furthest: number
  reasons: Reasons
  pauseMilliseconds: number
}

/** @returns for how many seconds the step has been failing without progress. @throws Overtaken */
async function recordFailing(db: Db, claim: Claim, failed: FailingTry): Promise<number> {
  const { position, undoing, furthest, reasons, pauseMilliseconds } = failed
  const [row] = await queryRows<{ seconds: number }>(
    db,
    `update operation_steps s
        set failing_since = case when s.failing_undo = $4 then least(s.failing_since, now()) else now() end,
            failing_undo = $4, furthest = $5, failing_reasons = $6::jsonb,
            next_try_at = now() + make_interval(secs => $7::float8 / 1000)
       from operations o where ${ofHeld}
      returning extract(epoch from now() - s.failing_since)::float8 as seconds`,
    [claim.operationId, claim.fence, position, undoing, furthest, JSON.stringify(reasons), pauseMilliseconds],
  )
  if (row === undefined) throw new Overtaken()
  return row.seconds
}

/** @throws Overtaken */
function forgetFailing(db: Db, claim: Claim, position: number): Promise<void> {
  return change(db, claim, position, 'failing_since = null, failing_reasons = null, next_try_at = null')
}

/** @throws Overtaken */
function forgetNextTry(db: Db, claim: Claim, position: number): Promise<void> {
  return change(db, claim, position, 'failing_reasons = null, next_try_at = null')
}

async function change(db: Db, claim: Claim, position: number, set: string): Promise<void> {
  const forgotten = await queryRows(
    db,
    `update operation_steps s set ${set} from operations o where ${ofHeld} returning s.position`,
    [claim.operationId, claim.fence, position],
  )
  if (forgotten.length === 0) throw new Overtaken()
}

const ofHeld = `s.operation_id = $1 and s.position = $3
        and o.id = $1 and o.fence = $2 and o.state in ('running', 'cancelling')`
