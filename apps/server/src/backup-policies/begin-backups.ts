/**
 * Begins the scheduled backups that wait, as many as there are slots for in the regions. Several policies that ask for a
 * backup of a room at the same time get one. The row of the room is locked meanwhile, so a room gets one backup however
 * many workers look.
 */
import { sql } from 'kysely'
import { type Database, type Db, queryBuilt, queryRows, type Tx } from '#platform/database.ts'
import { mapConcurrently } from '#platform/map-concurrently.ts'
import { startScheduledBackup } from '#rooms/index.ts'
import { isCovered, policiesThatWait } from './policy.ts'

export interface Scheduling {
  database: Database
  regionConcurrency: number
}

/** Many of the next rooms may be busy. */
const triedAtOnce = 20
const regionsAtOnce = 4

interface Waiting {
  regionId: number
  free: number
  roomId: string
}

/**
 * A room for which this fails does not stop the others; it stands behind them from then on.
 * @param until a time of `performance.now()`
 * @returns how many were begun. @throws the first failure, at the end
 */
export async function beginBackups(scheduling: Scheduling, now: Date, until: number): Promise<number> {
  const { database } = scheduling
  const slots = await freeSlots(scheduling)
  const waiting = await queryRows<Waiting>(database.db, nextOf, [
    slots.map(({ regionId }) => regionId),
    slots.map(({ free }) => free),
    now,
    triedAtOnce,
  ])
  const failures: unknown[] = []
  const ofRegions = [...Map.groupBy(waiting, ({ regionId }) => regionId).values()]
  const begun = await mapConcurrently(ofRegions, regionsAtOnce, async (rooms) => {
    let count = 0
    for (const { roomId, free } of rooms) {
      if (count >= free || performance.now() > until) break
      try {
        if (await database.transaction((tx) => beginFor(tx, roomId, now))) count += 1
      } catch (error) {
        failures.push(error)
        await setTried(database.db, roomId, now)
      }
    }
    return count
  })
  if (failures.length > 0) throw failures[0]
  return begun.reduce((sum, count) => sum + count, 0)
}

/** Who was busy is tried again after a minute, behind those that were not tried yet. */
const nextOf = `
  select slots.region_id, slots.free, next.room_id from unnest($1::int[], $2::int[]) as slots (region_id, free)
   cross join lateral (
     select room_id, tried_at, due_at from scheduled_backups
      where state = 'waiting' and region_id = slots.region_id
        and (tried_at is null or tried_at <= $3::timestamptz - interval '1 minute' or tried_at > $3)
      order by tried_at nulls first, due_at limit slots.free + $4::int
   ) as next order by slots.region_id, next.tried_at nulls first, next.due_at, next.room_id`

interface First {
  kind: 'classic' | 'd2o'
  regionId: number
}

/** @returns whether a backup was begun */
async function beginFor(tx: Tx, roomId: string, now: Date): Promise<boolean> {
  // The room is locked before the rows of the schedule, because an operation started by hand locks only the room.
  const [room] = await queryRows<{ regionId: number }>(tx, 'select region_id from rooms where id = $1 for update', [
    roomId,
  ])
  await forgetUnwanted(tx, roomId)
  await countOthers(tx, roomId, now)
  const [first] = await queryRows<First>(tx, firstOf, [roomId])
  if (room === undefined || first === undefined) return false
  if (room.regionId !== first.regionId) {
    // It has moved since. It is begun when its new region has a slot.
    await queryRows(tx, `update scheduled_backups set region_id = $2 where room_id = $1 and state = 'waiting'`, [
      roomId,
      room.regionId,
    ])
    return false
  }
  const operationId = await startScheduledBackup(tx, { roomId, kind: first.kind, now })
  if (operationId === null) {
    await setTried(tx, roomId, now)
    return false
  }
  await queryRows(
    tx,
    `update scheduled_backups s set state = 'started', operation_id = $3, started_at = $4
       from backup_policies p where p.id = s.policy_id and s.room_id = $1 and s.state = 'waiting' and p.kind = $2`,
    [roomId, first.kind, operationId, now],
  )
  return true
}

/** What waits for policies that were deleted or changed meanwhile, or whose rooms no longer include this one. */
async function forgetUnwanted(tx: Tx, roomId: string): Promise<void> {
  for (const { id, rooms, deletedAt, discardUntil } of await policiesThatWait(tx, roomId)) {
    await queryBuilt(
      tx,
      sql`delete from scheduled_backups
       where room_id = ${roomId}::uuid and policy_id = ${id}::uuid and state = 'waiting'
         and (${deletedAt !== null} or due_at <= ${discardUntil}::timestamptz
           or not exists (select from rooms where rooms.id = room_id and ${await isCovered(tx, rooms)}))`,
    )
  }
}

/** A backup that has begun within the window of another policy, by the same way, is its backup, too. */
async function countOthers(tx: Tx, roomId: string, now: Date): Promise<void> {
  await queryRows(
    tx,
    `update scheduled_backups s set state = 'started', operation_id = other.operation_id, started_at = other.started_at
       from scheduled_backups other
       join backup_policies p on p.id = other.policy_id
      where s.room_id = $1 and s.state = 'waiting' and other.room_id = $1 and other.state in ('started', 'done')
        and other.policy_id <> s.policy_id and other.started_at between s.counts_from and $2
        and p.kind = (select kind from backup_policies where id = s.policy_id)`,
    [roomId, now],
  )
}

const firstOf = `
  select p.kind, s.region_id from scheduled_backups s join backup_policies p on p.id = policy_id
   where room_id = $1 and s.state = 'waiting' order by due_at, policy_id for update of s limit 1`

async function setTried(db: Db | Tx, roomId: string, now: Date): Promise<void> {
  await queryRows(db, `update scheduled_backups set tried_at = $2 where room_id = $1 and state = 'waiting'`, [
    roomId,
    now,
  ])
}

interface FreeSlots {
  regionId: number
  free: number
  /** The free ones that tests of backups may take: tests take no more than half of all. */
  freeForTests: number
}

/**
 * How many scheduled operations may be begun in each region: no more wait in its line than it takes to have the next one
 * there when a slot becomes free. The others wait in the schedule, where they keep neither their room from other
 * operations nor other work in the background from its turn. Only regions in which there are any.
 */
export function freeSlots({ database, regionConcurrency }: Scheduling): Promise<FreeSlots[]> {
  return queryRows<FreeSlots>(
    database.db,
    `select r.id as region_id, $1::int - coalesce(open.n, 0) as free,
            least($1 - coalesce(open.n, 0), greatest($1 / 2 - coalesce(open.tests, 0), 0)) as free_for_tests
       from regions r left join (
         select p.region_id, count(*)::int as n, count(*) filter (where o.kind = 'backup.verify')::int as tests
           from operation_slots p join operations o on o.id = p.operation_id
          where p.background and o.started_by = 'system' group by p.region_id
       ) as open on open.region_id = r.id
      where r.state = 'enabled' and coalesce(open.n, 0) < $1`,
    [regionConcurrency + 1],
  )
}
