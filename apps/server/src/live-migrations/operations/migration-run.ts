/**
 * A run of a live migration: starts the moves of its rooms, one after another or several at once, and waits for them.
 * Each move is an operation of its own, whose result does not affect the others.
 */
import { because, type LiveMigrationState } from '@roomkeeper/contract'
import { z } from 'zod'
import { recordChange } from '#changes/index.ts'
import {
  addItems,
  type Begun,
  type ItemRoom,
  type NeedsRegion,
  noUndo,
  type OperationRecord,
  operation,
  runItems,
  type StepCall,
  startOperation,
} from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { LockedMigration } from '../configurations.ts'
import { recordMissingOutcome, recordOutcome } from './room-outcome.ts'
import { beginMove } from './start-move.ts'

const runInput = z.object({
  migrationId: z.int(),
  sourceRegionId: z.int(),
  targetRegionId: z.int(),
  routing: z.boolean(),
  parallel: z.boolean(),
  skipActiveSessions: z.boolean(),
})
type RunInput = z.infer<typeof runInput>
type RunCall = StepCall<RunInput>

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

function moveRooms(call: RunCall): Promise<void> {
  const { db, regionConcurrency } = call.services
  const { migrationId, parallel } = call.input
  return runItems(call, {
    atOnce: parallel ? regionConcurrency : 1,
    needsRegion: regionsNeededBy(call.input),
    // A busy room is postponed.
    waitsForBusyRooms: false,
    isActive: () => isRunning(call),
    begin: (tx, room) => begin(tx, call, room),
    async settle(roomIds) {
      for (const roomId of roomIds) await call.transaction((tx) => recordMissingOutcome(tx, call.id, roomId))
    },
    changed: () => recordChange(db, { kind: 'migration.changed', migrationId }),
  })
}

/** A disabled target is not waited for: each room fails at once, with that reason. */
export function regionsNeededBy(way: { sourceRegionId: number; targetRegionId: number }): NeedsRegion {
  return (_, { id, isDisabled }) => id === way.sourceRegionId || (id === way.targetRegionId && !isDisabled)
}

/** False once an operator has stopped the run. */
async function isRunning({ id, services: { db } }: RunCall): Promise<boolean> {
  const rows = await queryRows(db, `select from live_migrations where run_id = $1 and state = 'RUNNING'`, [id])
  return rows.length > 0
}

async function begin(tx: Tx, call: RunCall, room: ItemRoom): Promise<Begun> {
  const { parallel: _, ...way } = call.input
  const begun = await beginMove(tx, call, { ...way, runId: call.id }, room)
  if ('operationId' in begun) return begun
  await recordOutcome(tx, { runId: call.id, migrationId: way.migrationId, ...room, ...begun, operationId: null })
  return null
}

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

/** The state is STOPPED after a stop or a cancellation. Sets the warning if moves of the run have not ended yet. */
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

export interface MigrationRunStart {
  /** At rest. */
  migration: LockedMigration
  /** In the order in which they are moved; at least one. Each is checked when its move starts. */
  rooms: readonly { id: string; name: string }[]
  skipActiveSessions: boolean
  startedBy: string
  requestId: string | null
}

/**
 * In the caller's transaction: sets the configuration RUNNING and starts the run.
 * @returns the operation's id, which is the run's
 */
export async function startMigrationRun(tx: Tx, start: MigrationRunStart): Promise<string> {
  const { rooms, skipActiveSessions, startedBy, requestId } = start
  const { id: migrationId, sourceRegion, targetRegion, routing, parallel } = start.migration
  const way = { sourceRegionId: sourceRegion, targetRegionId: targetRegion }
  const input = { migrationId, ...way, routing, parallel, skipActiveSessions }
  const subject = rooms.length === 1 ? '1 project room' : `${rooms.length} project rooms`
  const parts = { input, room: null, subject, regionId: sourceRegion, startedBy, requestId }
  const runId = await startOperation(tx, migrationRun, parts)
  // Only the newest run is shown. Of earlier runs, only the rooms that are still under way are kept.
  await queryRows(tx, `delete from operation_items where migration_id = $1 and state <> 'running'`, [migrationId])
  await addItems(tx, { parentId: runId, migrationId, rooms })
  await queryRows(tx, `update live_migrations set state = 'RUNNING', run_id = $2, started_at = now() where id = $1`, [
    migrationId,
    runId,
  ])
  return runId
}
