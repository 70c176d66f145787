/** Records how a room's move ended, in the transaction that ends it: for its parent and for the operators' list. */
import { because, type Reasons } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { recordItem } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { storedReasons } from '#platform/stored-reasons.ts'

export interface RoomOutcome {
  /** The run, or the bulk that moves the room. */
  runId: string
  /** Null for a bulk. */
  migrationId: number | null
  roomId: string
  roomName: string
  outcome: 'migrated' | 'postponed' | 'failed'
  /** Why it was postponed or failed; null when it was migrated. */
  reasons: Reasons | null
  /** Null when it never began. */
  operationId: string | null
}

export async function recordOutcome(tx: Tx, end: RoomOutcome): Promise<void> {
  const { runId: parentId, roomId, reasons, migrationId } = end
  await recordItem(tx, { parentId, roomId, state: itemStates[end.outcome], reasons })
  if (migrationId !== null) await keepEntry(tx, end, reasons === null ? null : storedReasons(reasons))
  await queryRows(tx, 'delete from capacity_reservations where room_id = $1 and operation_id = $2', [
    end.roomId,
    end.operationId,
  ])
  // The next run begins with it.
  if (end.outcome === 'postponed')
    await queryRows(tx, 'update rooms set priority = priority + 1 where id = $1', [end.roomId])
  await recordChange(tx, { kind: 'migration.changed', migrationId })
}

const itemStates = { migrated: 'done', postponed: 'skipped', failed: 'failed' } as const

/** The entry outlives its operation, so it includes the log. The configuration may have been removed meanwhile. */
async function keepEntry(tx: Tx, end: RoomOutcome, stored: { text: string; codes: string } | null): Promise<void> {
  await queryRows(tx, 'delete from live_migration_states where operation_id = $1', [end.operationId])
  await queryRows(
    tx,
    `insert into live_migration_states
       (migration_id, room_id, room_name, outcome, operation_id, error, error_reasons, source_region_id, target_region_id,
        log, lines)
     select m.id, $2, $3, $4, $5, $6, $8::jsonb, (run.input->>'sourceRegionId')::int, (run.input->>'targetRegionId')::int, coalesce((
         select string_agg(
                  to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ' ' || level || ' ' || text,
                  E'\\n' order by n)
           from operation_log where operation_id = $5), ''), (
         select jsonb_agg(jsonb_build_object('n', n, 'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                                             'level', level, 'text', text, 'reasons', coalesce(reasons, '[]')) order by n)
           from operation_log where operation_id = $5 having count(*) <= $9)
       from live_migrations m left join operations run on run.id = $7 where m.id = $1`,
    [
      end.migrationId,
      end.roomId,
      end.roomName,
      end.outcome,
      end.operationId,
      stored?.text ?? '',
      end.runId,
      stored?.codes,
      linesAtMost,
    ],
  )
}

/** Of longer logs only the text is kept. */
export const linesAtMost = 10_000

/** For a move that ended without recording an outcome: only a bug or another version of the program causes that. */
export async function recordMissingOutcome(tx: Tx, runId: string, roomId: string): Promise<void> {
  const [found] = await queryRows<{
    migrationId: number
    roomName: string
    operationId: string
    errorReasons: Reasons | null
  }>(
    tx,
    `select r.migration_id, r.room_name, r.operation_id, o.error_reasons
       from operation_items r left join operations o on o.id = r.operation_id
      where r.parent_id = $1 and r.room_id = $2 and r.state = 'running' and (o.id is null or o.ended_at is not null)`,
    [runId, roomId],
  )
  if (found === undefined) return
  const { errorReasons, ...room } = found
  const reasons = errorReasons ?? [because('operation-lost')]
  await recordOutcome(tx, { runId, roomId, ...room, outcome: 'failed', reasons })
}
