/**
 * Limits how long a step is retried. The time counts from the first of an unbroken series of transient failures,
 * whichever workers meet them; the time before does not count. A step that gets a hundredth further than ever before
 * starts a new series, so that it can continue with a slow region.
 */
import { type Db, queryRows } from '#platform/database.ts'
import { Overtaken } from './failures.ts'
import type { Step } from './operation.ts'
import type { Claim, FailingStep } from './operation-record.ts'
import { type OperationRun, retryWrite } from './runner.ts'

export interface TransientFailures {
  /** The number of failed tries in this process since the step last got further. */
  tries: number
  /** Records another failure. @returns whether the limit is reached */
  isTooLong(): Promise<boolean>
  /** Records how much of the step is done, 0 to 1. Small steps of progress add up until they reach `leastStep`. */
  reached(share: number): Promise<void>
}

/** A step that is being run, or undone. */
export interface StepToTry<Services> extends OperationRun<Services> {
  position: number
  step: Step<unknown, Services>
  /** An undo cannot be cancelled. */
  undoing: boolean
  /** The series of transient failures that the step was in when this process took it over. */
  failing: FailingStep | null
}

const retryMinutes = 15
const leastStep = 0.01

export function trackTransientFailures<Services>(run: StepToTry<Services>): TransientFailures {
  const { claim, position, undoing } = run
  const { db } = run.runner.database
  let isFailing = run.failing !== null
  let furthest = run.failing?.furthest ?? 0
  return {
    tries: 0,
    async isTooLong() {
      const seconds = await retryWrite(run, () => recordFailing(db, claim, { position, undoing, furthest }))
      isFailing = true
      return seconds > (run.step.retry?.minutes ?? retryMinutes) * 60
    },
    async reached(share) {
      // Progress of an undo is not recorded.
      if (undoing || share < furthest + leastStep) return
      furthest = share
      if (!isFailing) return
      await retryWrite(run, () => forgetFailing(db, claim, position))
      isFailing = false
      this.tries = 0
    },
  }
}

interface FailingTry {
  position: number
  undoing: boolean
  furthest: number
}

/** @returns for how many seconds the step has been failing without progress. @throws Overtaken */
async function recordFailing(db: Db, claim: Claim, { position, undoing, furthest }: FailingTry): Promise<number> {
  const [row] = await queryRows<{ seconds: number }>(
    db,
    `update operation_steps s
        set failing_since = case when s.failing_undo = $4 then coalesce(s.failing_since, now()) else now() end,
            failing_undo = $4, furthest = $5
       from operations o where ${ofHeld}
      returning extract(epoch from now() - s.failing_since)::float8 as seconds`,
    [claim.operationId, claim.fence, position, undoing, furthest],
  )
  if (row === undefined) throw new Overtaken()
  return row.seconds
}

/** @throws Overtaken */
async function forgetFailing(db: Db, claim: Claim, position: number): Promise<void> {
  const forgotten = await queryRows(
    db,
    `update operation_steps s set failing_since = null from operations o where ${ofHeld} returning s.position`,
    [claim.operationId, claim.fence, position],
  )
  if (forgotten.length === 0) throw new Overtaken()
}

const ofHeld = `s.operation_id = $1 and s.position = $3
        and o.id = $1 and o.fence = $2 and o.state in ('running', 'cancelling')`
