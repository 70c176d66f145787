/** Recounts the counts that triggers keep. Changes to rooms wait meanwhile: a second or two for a million rooms. */
import { because } from '@roomkeeper/contract'
import { type Db, queryRows } from '#platform/database.ts'
import type { RepairKind } from './repair-kind.ts'

export const recount: RepairKind = {
  async preview(_, { facts }) {
    return [{ field: String(facts.what), from: facts.kept ?? null, to: facts.counted ?? null }]
  },
  async run(call, { db }) {
    await call.transaction(async (tx) => {
      await queryRows(tx, 'select recount_rooms()')
      await queryRows(tx, 'lock table operation_items in share row exclusive mode')
      await queryRows(tx, 'delete from operation_item_counts')
      await queryRows(
        tx,
        `insert into operation_item_counts
         select parent_id, state, count(*), coalesce(sum(bytes), 0) from operation_items group by parent_id, state`,
      )
    })
    for (let last = await recountLastBackups(db, null); last !== null; last = await recountLastBackups(db, last))
      call.signal.throwIfAborted()
    await call.log([because('log-counted')])
  },
}

const roomsAtOnce = 500

/**
 * A few rooms at a time, so that each is locked for a moment only. They are locked before their backups are looked at.
 * @returns the last of them; null: there are no more
 */
export function recountLastBackups(db: Db, after: string | null, atOnce = roomsAtOnce): Promise<string | null> {
  return db.transaction().execute(async (tx) => {
    const rooms = await queryRows<{ id: string }>(
      tx,
      `select id from rooms where id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid) order by id limit $2
          for no key update`,
      [after, atOnce],
    )
    const ids = rooms.map(({ id }) => id)
    await queryRows(
      tx,
      `update rooms set last_backup_at = newest.at, last_backup_restored_at = newest.restored_at
         from unnest($1::uuid[]) as one(room) cross join lateral last_backup_of(one.room) as newest
        where id = one.room
          and (last_backup_at <> newest.at or last_backup_restored_at is distinct from newest.restored_at)`,
      [ids],
    )
    return ids.at(-1) ?? null
  })
}
