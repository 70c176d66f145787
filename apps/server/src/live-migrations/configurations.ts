/** Configurations of live migrations: reads them, as the wire shows them, and locks them. */
import { because, type LiveMigration } from '@roomkeeper/contract'
import { recordedFor } from '#changes/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'

/** Includes the room that is being moved, or the first of several. */
const select = `
  select m.id, m.source_region_id as source_region, m.target_region_id as target_region, m.state, m.routing,
    m.started_at as start_date, m.warning as is_warning_enabled, m.parallel, m.version,
    (select room_name from operation_items
      where parent_id = m.run_id and state = 'running' order by position limit 1) as current_migrated_project_room
    from live_migrations m`

/** Lists the configurations in the order of their ids. */
export function listMigrations(db: Db | Tx): Promise<LiveMigration[]> {
  return queryRows<LiveMigration>(db, `${select} order by m.id`)
}

/** @throws Refusal `migration-unknown` */
export async function findMigration(db: Db | Tx, id: number): Promise<LiveMigration> {
  const [found] = await queryRows<LiveMigration>(db, `${select} where m.id = $1`, [id])
  if (found === undefined) throw refuse('migration-unknown', { id })
  return found
}

/** Locked until the transaction ends, so that no other operator starts, stops or changes it meanwhile. */
export interface LockedMigration extends LiveMigration {
  sourceName: string
  targetName: string
  targetIsDisabled: boolean
  /** True if both regions are known to be one server. */
  isSameServer: boolean
  /** The id of the newest run. */
  runId: string | null
}

type LockedColumns = 'runId' | 'sourceName' | 'targetName' | 'targetIsDisabled' | 'isSameServer'

/** @throws Refusal `migration-unknown` */
export async function lockMigration(tx: Tx, id: number): Promise<LockedMigration> {
  // Locked alone, because a join that waits for the lock uses the former regions, and finds nothing if they have
  // changed.
  await queryRows(tx, 'select from live_migrations where id = $1 for no key update', [id])
  const [found] = await queryRows<Pick<LockedMigration, LockedColumns>>(
    tx,
    `select m.run_id, source.name as source_name, target.name as target_name,
        target.state = 'disabled' as target_is_disabled,
        coalesce(source.instance_id = target.instance_id, false) as is_same_server
       from live_migrations m
       join regions source on source.id = m.source_region_id
       join regions target on target.id = m.target_region_id
      where m.id = $1`,
    [id],
  )
  if (found === undefined) throw refuse('migration-unknown', { id })
  return { ...(await findMigration(tx, id)), ...found }
}

/** Whether the newest run may still touch rooms, because it or one of its moves has not ended. */
const runIsOpen = `exists (
  select from operations o where (o.id = m.run_id or o.parent_id = m.run_id)
    and o.state in ('waiting', 'running', 'cancelling')
)`

/** Clears the warning of each configuration whose newest run has ended. */
export async function clearWarnings(db: Db): Promise<void> {
  await queryRows(
    db,
    `with cleared as (
       update live_migrations m set warning = false
        where warning and state <> 'RUNNING' and not ${runIsOpen} returning m.id
     ) ${recordedFor('migration.changed', 'cleared')}`,
  )
}

/** Rooms of earlier runs may still be in flight when the warning was reset. */
const roomIsInFlight = `exists (
  select from operation_items r join operations o on o.id = r.operation_id
   where r.migration_id = m.id and r.state = 'running' and o.ended_at is null
)`

/** @throws Refusal `wrong-state` while a room of any run is still on its way, in any state of the configuration */
export async function checkRunHasEnded(tx: Tx, id: number): Promise<void> {
  const [row] = await queryRows<{ isOpen: boolean }>(
    tx,
    `select ${runIsOpen} or ${roomIsInFlight} as is_open from live_migrations m where id = $1`,
    [id],
  )
  if (row?.isOpen === true) throw refuse('wrong-state', { reason: because('migration-under-way') })
}

/** For the audit trail. */
export function wayOf({ sourceName, targetName }: Pick<LockedMigration, 'sourceName' | 'targetName'>): string {
  return `${sourceName} → ${targetName}`
}
