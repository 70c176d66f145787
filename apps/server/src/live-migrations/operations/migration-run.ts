/**
 * A run of a live migration: starts the moves of its rooms, one after another or several at once, and waits for them.
 * Each move is an operation of its own, whose result does not affect the others.
 */
import { because } from '@roomkeeper/contract'
import { nothing, type OperationRecord, operation } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { refuse } from '#platform/refuse.ts'
import type { RoomServices } from '#rooms/index.ts'
import { moveRooms } from './move-rooms.ts'
import { type RunInput, runInput } from './run-call.ts'

export const migrationRun = operation<RunInput, RoomServices>({
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
      undo: nothing,
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

/** STOPPED if somebody stopped the run or cancelled its operation. If it ends before its moves, it sets the warning. */
async function endRun(tx: Tx, { id, input }: OperationRecord<RunInput>): Promise<void> {
  await queryRows(
    tx,
    `with rooms as (
       select count(*) filter (where state = 'done') as migrated,
              count(*) filter (where state in ('skipped', 'failed', 'cancelled')) as others,
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
              when rooms.others > 0 then 'PARTIALLY_COMPLETED'
              else 'COMPLETED' end
       from rooms where m.id = $2 and m.run_id = $1`,
    [id, input.migrationId],
  )
  await announce(tx, { type: 'migration', id: input.migrationId })
}
