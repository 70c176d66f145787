/** A deleted room whose region has it again, such as after its server came back from an older copy, may be adopted. */
import type { ReasonCode } from '@roomkeeper/contract'
import { retainBackupsOfRoom } from '#backups/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'

type WhyNot = Extract<ReasonCode, 'deleted-and-busy' | 'deleted-and-purged'>

interface Found {
  id: string
  operationId: string | null
  purgeBegunAt: string | null
}

/** Null when it may be, or is not among the deleted rooms. Of a purge that has begun the rest has to go, too. */
export async function whyNotAdopt(db: Db, roomId: string): Promise<WhyNot | null> {
  const [found] = await queryRows<Found>(db, deletedRoom, [roomId])
  return found === undefined ? null : whyNotTaken(db, found)
}

/**
 * Takes the room from the deleted ones, in the transaction that adopts it: its backups do not expire any more.
 * @returns null, or why it cannot be taken
 */
export async function takeFromDeleted(tx: Tx, roomId: string): Promise<WhyNot | null> {
  // Whoever restores or purges it locks it, too.
  const [found] = await queryRows<Found>(tx, `${deletedRoom} for update`, [roomId])
  const whyNot = found === undefined ? null : await whyNotTaken(tx, found)
  if (whyNot !== null) return whyNot
  await retainBackupsOfRoom(tx, roomId)
  if (found !== undefined) await queryRows(tx, 'delete from deleted_rooms where id = $1', [found.id])
  return null
}

const deletedRoom = 'select id, operation_id, purge_begun_at from deleted_rooms where room_id = $1'

async function whyNotTaken(db: Db | Tx, { operationId, purgeBegunAt }: Found): Promise<WhyNot | null> {
  const open = 'select 1 from operations where id = $1 and ended_at is null'
  if ((await queryRows(db, open, [operationId])).length > 0) return 'deleted-and-busy'
  return purgeBegunAt === null ? null : 'deleted-and-purged'
}
