/** What the record says of single steps, for whatever of a kind is no step that runs: how it ends, how it is retried. */
import { sql } from 'kysely'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { StepId, StepRef } from './operation.ts'
import type { OperationStepsTable } from './tables.ts'

/** The id of a step in `operation_steps`, also where the operation ended before steps had ids and was not retried since. */
export const knownStepId = sql<string>`coalesce(step_id, step_id_of(name))`

/** Of the step's undo: its name in the log, by the title, and in the marks of its calls, by the id. */
export function undoOf(step: string): string {
  return `undo: ${step}`
}

/** null: the operation does not have this step. */
export async function stateOfStep(
  db: Db | Tx,
  operationId: string,
  step: StepId,
): Promise<OperationStepsTable['state'] | null> {
  return (await findStep(db, operationId, step))?.state ?? null
}

/** What it answered last, also when it was undone since; null: nothing yet, or the operation does not have this step. */
export async function outputOfStep<Output>(
  db: Db | Tx,
  operationId: string,
  step: StepRef<Output>,
): Promise<Output | null> {
  const found = await findStep(db, operationId, step)
  return found == null || found.output === null ? null : step.output.parse(found.output)
}

/** The step's future output, or notes for another try. */
export async function changeOutput<Output>(
  tx: Tx,
  operationId: string,
  step: StepRef<Output>,
  output: Output,
  state?: 'done',
): Promise<void> {
  await queryRows(
    tx,
    `update operation_steps set output = $3, state = coalesce($4, state),
            ended_at = case when $4 is null then ended_at else coalesce(ended_at, now()) end
      where operation_id = $1 and step_id = $2`,
    [operationId, step.id, JSON.stringify(output), state ?? null],
  )
}

function findStep(db: Db | Tx, operationId: string, { id }: StepId) {
  return db
    .selectFrom('operationSteps')
    .select(['state', 'output'])
    .where('operationId', '=', operationId)
    .where(knownStepId, '=', id)
    .executeTakeFirst()
}
