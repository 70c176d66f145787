/**
 * For how long a step is tried again: failures that may pass count from the first of an unbroken series, whichever
 * worker meets them. What a step did before them does not count, however long it took; and a step that gets a hundredth
 * further than ever before begins a new series, so that one whose region creeps comes to an end.
 */
import { type Db, queryRows } from '#platform/database.ts'
import type { StepRun } from './attempt-step.ts'
import { Overtaken } from './failures.ts'
import type { Hold } from './journal.ts'
import { persistently } from './runner.ts'

export interface PassingFailures {
  /** In this process, since the step got further. */
  tries: number
  /** Notes one more. @returns whether that is enough */
  isTooLong(): Promise<boolean>
  /** So much of the step is done, 0 to 1. What is less than `leastStep` further adds up. */
  reached(share: number): Promise<void>
}

const retryMinutes = 15
const leastStep = 0.01

export function passingFailures<Services>(run: StepRun<Services>): PassingFailures {
  const { hold, position, undoing } = run
  const { db } = run.runner.database
  let isFailing = run.failing !== null
  let furthest = run.failing?.furthest ?? 0
  return {
    tries: 0,
    async isTooLong() {
      const seconds = await persistently(run, () => noteFailing(db, hold, { position, undoing, furthest }))
      isFailing = true
      return seconds > (run.step.retry?.minutes ?? retryMinutes) * 60
    },
    async reached(share) {
      // What is put back has no progress of its own.
      if (undoing || share < furthest + leastStep) return
      furthest = share
      if (!isFailing) return
      await persistently(run, () => forgetFailing(db, hold, position))
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

/** @returns for how many seconds it has been failing without getting further. @throws Overtaken */
async function noteFailing(db: Db, hold: Hold, { position, undoing, furthest }: FailingTry): Promise<number> {
  const [row] = await queryRows<{ seconds: number }>(
    db,
    `update operation_steps s
        set failing_since = case when s.failing_undo = $4 then coalesce(s.failing_since, now()) else now() end,
            failing_undo = $4, furthest = $5
       from operations o where ${ofHeld}
      returning extract(epoch from now() - s.failing_since)::float8 as seconds`,
    [hold.operationId, hold.fence, position, undoing, furthest],
  )
  if (row === undefined) throw new Overtaken()
  return row.seconds
}

/** @throws Overtaken */
async function forgetFailing(db: Db, hold: Hold, position: number): Promise<void> {
  const forgotten = await queryRows(
    db,
    `update operation_steps s set failing_since = null from operations o where ${ofHeld} returning s.position`,
    [hold.operationId, hold.fence, position],
  )
  if (forgotten.length === 0) throw new Overtaken()
}

const ofHeld = `s.operation_id = $1 and s.position = $3
        and o.id = $1 and o.fence = $2 and o.state in ('running', 'cancelling')`
