/** Housekeeping of operations: what is old goes, and nothing stays open without a workflow that will end it. */
import { DBOS } from '@dbos-inc/dbos-sdk'
import { type Database, queryRows } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { removeOldKeys } from './idempotency.ts'
import { workflowIdOf } from './queues.ts'

const keptDays = 90

export async function tidyOperations(database: Database): Promise<void> {
  await removeOldKeys(database.db)
  await removeOldOperations(database)
  await forgetOldSecrets(database)
  await removeEndedWorkflows()
  await failForsaken(database)
}

/** The last failed operation of a room is kept as long as the room is in error, because it can be retried. */
async function removeOldOperations({ db }: Database): Promise<void> {
  await queryRows(
    db,
    `delete from operations o where o.ended_at < now() - make_interval(days => $1)
        and not exists (select 1 from rooms r where r.id = o.room_id and r.state = 'ERROR')`,
    [keptDays],
  )
}

/** A failed operation keeps its secrets for a day, so that it can be retried. */
async function forgetOldSecrets({ db }: Database): Promise<void> {
  await queryRows(
    db,
    `update operations set input = input - 'sealed'
      where state = 'failed' and ended_at < now() - interval '24 hours' and input ? 'sealed'`,
  )
}

/** DBOS never deletes its own records. */
async function removeEndedWorkflows(): Promise<void> {
  const ended = await DBOS.listWorkflows({
    status: ['SUCCESS', 'ERROR', 'CANCELLED'],
    completedBefore: new Date(Date.now() - 60 * 60_000).toISOString(),
    limit: 1000,
    loadInput: false,
    loadOutput: false,
  })
  if (ended.length > 0) await DBOS.deleteWorkflows(ended.map((each) => each.workflowID))
}

/** An open operation whose workflow has ended without ending it: only a defect leads here, but nothing may hang. */
async function failForsaken({ db, transaction }: Database): Promise<void> {
  const open = await queryRows<{ id: string; attempt: number; room_name: string }>(
    db,
    `select id, attempt, room_name from operations
      where state in ('waiting', 'running', 'cancelling') and created_at < now() - interval '1 minute'
        -- Those that wait for places have no workflow yet.
        and not exists (select from operation_places p where p.operation_id = operations.id and not p.held)
      limit 1000`,
  )
  if (open.length === 0) return
  const workflows = await DBOS.listWorkflows({
    workflowIDs: open.map((each) => workflowIdOf(each.id, each.attempt)),
    status: ['PENDING', 'ENQUEUED', 'DELAYED'],
    loadInput: false,
    loadOutput: false,
  })
  const alive = new Set(workflows.map((each) => each.workflowID))
  for (const each of open.filter(({ id, attempt }) => !alive.has(workflowIdOf(id, attempt)))) {
    await transaction(async (tx) => {
      await queryRows(
        tx,
        `update operations set state = 'failed', ended_at = now(), error = 'The operation was lost.'
          where id = $1 and attempt = $2 and state in ('waiting', 'running', 'cancelling')`,
        [each.id, each.attempt],
      )
      await announce(tx, { type: 'operation', operationId: each.id, room: each.room_name })
    })
  }
}
