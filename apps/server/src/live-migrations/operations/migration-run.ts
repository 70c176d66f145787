/**
 * A run of a live migration: starts the moves of its rooms, one after another or several at once, and waits for them.
 * Each move is an operation of its own, whose result does not affect the others.
 */
import { because, type LiveMigrationState } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { noUndo, type OperationRecord, operation } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { moveRooms } from './move-rooms.ts'
import { type RunInput, runInput } from './run-call.ts'

export const migrationRun = operation<RunInput>({
  kind: 'migration.run',
  version: 1,
  process: null,
  input: runInput,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    {
      id: 'move-rooms',
      title: 'move the rooms',
      run: moveRooms,
      undo: noUndo,
      retry: { minutes: Number.POSITIVE_INFINITY, longestPauseSeconds: 5 },
    },
  ],
  done: endRun,
  failed: endRun,
  cancelled: endRun,
  async retrying() {
    throw refuse('operation-not-retryable', { reason: because('migrate-again') })
  },
})

interface EndedRun {
  state: LiveMigrationState
  migrated: number
  postponed: number
  failed: number
  waiting: number
  inFlight: number
  source: string
  target: string
}

/** STOPPED if somebody stopped the run or cancelled its operation. If it ends before its moves, it sets the warning. */
async function endRun(tx: Tx, record: OperationRecord<RunInput>): Promise<void> {
  const { id, input } = record
  const [ended] = await queryRows<EndedRun>(
    tx,
    `with rooms as (
       select count(*) filter (where state = 'done') as migrated,
              count(*) filter (where state in ('skipped', 'cancelled')) as postponed,
              count(*) filter (where state = 'failed') as failed,
              count(*) filter (where state = 'waiting') as waiting,
              count(*) filter (where state = 'running') as running
         from operation_items where parent_id = $1
     )
     update live_migrations m
        set warning = m.warning or rooms.running > 0,
            state = case
              when m.state <> 'RUNNING' then m.state
              when rooms.waiting + rooms.running > 0 then 'STOPPED'
              when rooms.migrated = 0 then 'FAILED'
              when rooms.postponed + rooms.failed > 0 then 'PARTIALLY_COMPLETED'
              else 'COMPLETED' end
       from rooms where m.id = $2 and m.run_id = $1
     returning m.state, rooms.migrated::int, rooms.postponed::int, rooms.failed::int, rooms.waiting::int,
               rooms.running::int as in_flight,
               (select name from regions where id = m.source_region_id) as source,
               (select name from regions where id = m.target_region_id) as target`,
    [id, input.migrationId],
  )
  if (ended === undefined) await recordChange(tx, { kind: 'migration.changed', migrationId: input.migrationId })
  else await recordEnd(tx, record, ended)
}

async function recordEnd(tx: Tx, { id, kind, input }: OperationRecord<RunInput>, ended: EndedRun): Promise<void> {
  const { state, source, target, ...rooms } = ended
  const { migrationId } = input
  const data = { migration: { id: migrationId, source, target }, operation: { id, kind }, state, rooms }
  const event = { data, orderingKey: `migration ${migrationId}`, roomId: null, roomName: null }
  await recordChange(tx, { kind: 'migration.ended', migrationId, events: async () => [event] })
}
