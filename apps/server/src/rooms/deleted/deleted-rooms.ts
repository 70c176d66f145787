/** The rows of deleted rooms: kept so that a room can come back as it was, locked, taken again and tidied. */

import type { ReasonCode } from '@roomkeeper/contract'
import { isKnownBad, retainBackupsOfRoom, takeFromRemoved } from '#backups/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { isLongerAgo, latestTime, steadyTime } from '#platform/steady-time.ts'
import { refuseCallsOf } from '#regions/index.ts'
import { type RoomCall, targetOf } from '../steps/room-call.ts'
import type { RoomState } from '../stored-room.ts'

interface Deletion {
  roomId: string
  /** Before the deletion. */
  state: RoomState
  deletedBy: string
  /** How long the room can come back. */
  days: number
}

/**
 * Called in the transaction that removes the room, before it is removed. A room that was only half brought back, and is
 * deleted again, keeps its earlier record for another period, because that record names the backup to come back from;
 * only labels may have been given meanwhile.
 * Any other record of an earlier deletion is out of date.
 */
export async function keepDeletedRoom(tx: Tx, { roomId, state, deletedBy, days }: Deletion): Promise<void> {
  await queryRows(tx, forgetEarlier, [roomId])
  await queryRows(tx, keep, [roomId, state, deletedBy, days])
}

/** No user was let into such a room, so it holds nothing beyond the backup that it was to come back from. */
export async function isHalfBroughtBack(db: Db | Tx, roomId: string): Promise<boolean> {
  const rows = await queryRows(db, `select 1 from deleted_rooms where room_id = $1 and ${halfBroughtBack}`, [roomId])
  return rows.length > 0
}

/** Applies to a room that exists: the operation that was to bring it back has left the room and this record. */
const halfBroughtBack = '(operation_id is not null and purge_begun_at is null)'

const forgetEarlier = `delete from deleted_rooms where room_id = $1 and not ${halfBroughtBack}`

/**
 * The newest backup that it can come back from, because that holds what was in it last. Regions read classic backups from
 * the console; those in an object store need its keys.
 */
const keep = `insert into deleted_rooms
     (room_id, name, product, edition, customer_email, company_name, columns, backup_id, deleted_by, kept_until)
   select id, name, product::text, edition::text, customer_email, company_name,
          to_jsonb(rooms) || jsonb_build_object('state', $2::text),
          (select b.id from room_backups b where b.room_id = rooms.id and b.kind = 'classic' and not ${isKnownBad}
            order by b.created_at desc limit 1),
          $3, ${latestTime} + make_interval(days => $4::int)
     from rooms where id = $1
   on conflict (room_id) do update
     set operation_id = null, kept_until = excluded.kept_until,
         columns = deleted_rooms.columns || jsonb_build_object('labels', excluded.columns -> 'labels')`

interface DeletedRoom {
  id: string
  roomId: string
  name: string
  /** The row of the room as it was, under the names of the database. */
  columns: Record<string, unknown>
  operationId: string | null
  keptUntil: string
  /** Since when it can only be purged; null: it can come back. */
  purgeBegunAt: string | null
  /** It cannot come back any more, even if housekeeping has not removed it yet. */
  isOver: boolean
}

/**
 * Locks a deleted room until the transaction ends, for its restore or purge. Housekeeping locks it, too, before it
 * removes it.
 * @throws Refusal `deleted-room-unknown`, `room-busy` while it is restored or purged
 */
export async function lockDeletedRoom(tx: Tx, id: string): Promise<DeletedRoom> {
  const [room] = await queryRows<Omit<DeletedRoom, 'isOver'>>(
    tx,
    `select id, room_id, name, columns, operation_id, kept_until, purge_begun_at from deleted_rooms
      where id = $1 for update`,
    [id],
  )
  if (room === undefined) throw refuse('deleted-room-unknown')
  // A restore that could not be put back has left its room, which has to be deleted first.
  const [found] = await queryRows<{ isBusy: boolean; isOver: boolean }>(
    tx,
    `select exists (select from operations where id = $1 and ended_at is null)
            or exists (select from rooms where id = $2) as is_busy, $3::timestamptz <= now() as is_over`,
    [room.operationId, room.roomId, room.keptUntil],
  )
  if (found?.isBusy !== false) throw refuse('room-busy', { room: room.name })
  return { ...room, isOver: found.isOver }
}

/**
 * The backup from which a deleted room comes back, chosen when it is asked for: the last one, or, once that is gone or
 * known to be bad, the newest good one that there is.
 * @param row a row of deleted_rooms
 * @returns a subquery for a lateral join
 */
export const backupToReturn = (row: string) => `(
  select b.* from room_backups b where b.room_id = ${row}.room_id and b.kind = 'classic'
   order by ${isKnownBad}, b.id is distinct from ${row}.backup_id, b.created_at desc limit 1)`

/** @returns its id; null: there is none */
export async function findBackupToReturn(tx: Tx, deletedRoomId: string): Promise<string | null> {
  const [backup] = await queryRows<{ id: string }>(
    tx,
    `select chosen.id from deleted_rooms d cross join lateral ${backupToReturn('d')} chosen where d.id = $1`,
    [deletedRoomId],
  )
  return backup?.id ?? null
}

/**
 * Before a deleted room comes back, its region learns to refuse late calls of the operations that ended during the last
 * day: the one of the deletion would delete it again.
 */
export async function refuseEarlierOfRoom(call: RoomCall): Promise<void> {
  const { region, roomId } = await targetOf(call)
  const earlier = await earlierOperations(call.services.db, roomId, call.id)
  await refuseCallsOf(region, earlier, call.mark)
}

/** The room's operations that ended during the last day, except this one. */
export function earlierOperations(db: Db, roomId: string, except: string): Promise<{ id: string; fence: number }[]> {
  return queryRows(db, earlierOfRoom, [roomId, except])
}

/** No call stays on its way for longer than a day. */
const earlierOfRoom = `select id, fence from operations where room_id = $1 and id <> $2
    and ended_at is not null and not ${isLongerAgo('ended_at', '1 day')}`

/**
 * No backup of a deleted room may come to a region while the room is purged, or after a purge has begun. A purge locks the
 * room as well, so it sees an operation with the backup that has started.
 * @throws Refusal `room-busy`, `purge-begun`
 */
export async function refuseWhilePurged(tx: Tx, roomId: string, room: string): Promise<void> {
  const [deleted] = await queryRows<{ operationId: string | null; purgeBegunAt: string | null }>(
    tx,
    'select operation_id, purge_begun_at from deleted_rooms where room_id = $1 for share',
    [roomId],
  )
  if (deleted === undefined) return
  // Not in the statement that waited for the lock: it would not see an operation that was started meanwhile.
  const open = `select 1 from operations where id = $1 and kind = 'room.purge' and ended_at is null`
  if ((await queryRows(tx, open, [deleted.operationId])).length > 0) throw refuse('room-busy', { room })
  if (deleted.purgeBegunAt !== null) throw refuse('purge-begun', { room })
}

type WhyNot = Extract<ReasonCode, 'deleted-and-busy' | 'deleted-and-purged'>

interface Found {
  id: string
  operationId: string | null
  purgeBegunAt: string | null
}

/**
 * Whether a deleted room may be adopted whose region has it again, such as after its server came back from an older
 * copy. Null when it may be, or is not among the deleted rooms. Of a purge that has begun the rest has to go, too.
 */
export async function whyNotAdopt(db: Db, roomId: string): Promise<WhyNot | null> {
  const [found] = await queryRows<Found>(db, deletedRoom, [roomId])
  return found === undefined ? null : whyNotTaken(db, found)
}

/**
 * Takes the room from the deleted and the removed ones, in the transaction that adopts it: its backups do not expire
 * any more.
 * @returns null, or why it cannot be taken
 */
export async function takeFromDeleted(tx: Tx, roomId: string): Promise<WhyNot | null> {
  // A restore or a purge locks it, too.
  const [found] = await queryRows<Found>(tx, `${deletedRoom} for update`, [roomId])
  const whyNot = found === undefined ? null : await whyNotTaken(tx, found)
  if (whyNot !== null) return whyNot
  await retainBackupsOfRoom(tx, roomId)
  await takeFromRemoved(tx, roomId)
  if (found === undefined) return null
  await queryRows(tx, takeLabels, [found.id])
  await queryRows(tx, 'delete from deleted_rooms where id = $1', [found.id])
  return null
}

/** Its notes need not be taken over: they are stored by the room's id. */
const takeLabels = `
  update rooms set labels = array(select jsonb_array_elements_text(d.columns -> 'labels'))
    from deleted_rooms d where d.id = $1 and rooms.id = d.room_id`

const deletedRoom = 'select id, operation_id, purge_begun_at from deleted_rooms where room_id = $1'

async function whyNotTaken(db: Db | Tx, { operationId, purgeBegunAt }: Found): Promise<WhyNot | null> {
  const open = 'select 1 from operations where id = $1 and ended_at is null'
  if ((await queryRows(db, open, [operationId])).length > 0) return 'deleted-and-busy'
  return purgeBegunAt === null ? null : 'deleted-and-purged'
}

/**
 * Housekeeping: forgets deleted rooms that cannot come back any more. Their backups expire at the same moment. One
 * whose purge has begun stays until there is a certificate. Never while a room is restored or purged: the start of that
 * locks the row first, and the second statement sees what was started until this one had the locks.
 */
export async function tidyDeletedRooms(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    const due = await queryRows<{ id: string }>(
      tx,
      `select id from deleted_rooms where kept_until <= ${steadyTime} and purge_begun_at is null
        order by kept_until limit 1000 for update skip locked`,
    )
    if (due.length === 0) return
    await queryRows(
      tx,
      `delete from deleted_rooms d where id = any($1::uuid[])
          and not exists (select from operations o where o.id = d.operation_id and o.ended_at is null)
          and not exists (select from rooms r where r.id = d.room_id)`,
      [due.map(({ id }) => id)],
    )
  })
}
