/** Reads and changes the records of single steps, for the parts of a kind that are no steps, such as `retrying`. */
import type { Selectable } from 'kysely'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { prepared } from '#platform/prepared-statements.ts'
import type { StepId, StepRef } from './operation.ts'
import type { OperationStepsTable } from './tables.ts'

/** Names a step's undo: pass the title for the log, the id for the marks of calls. */
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

/** The step's latest output, even if it was undone since; null: no output yet, or no such step in the operation. */
export async function outputOfStep<Output>(
  db: Db | Tx,
  operationId: string,
  step: StepRef<Output>,
): Promise<Output | null> {
  const found = await findStep(db, operationId, step)
  return found == null || found.output === null ? null : step.output.parse(found.output)
}

/** Writes a step's output early, or notes for its next try. @param state `done` also ends the step */
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

async function findStep(db: Db | Tx, operationId: string, { id }: StepId): Promise<FoundStep | undefined> {
  const [step] = await queryRows<FoundStep>(db, stepById, [operationId, id])
  return step
}

type FoundStep = Pick<Selectable<OperationStepsTable>, 'state' | 'output'>

const stepById = prepared(`
  select state, output from operation_steps where operation_id = $1 and step_id = $2`)
