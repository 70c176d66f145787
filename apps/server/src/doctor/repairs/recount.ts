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

/** A few rooms at a time, so that each is locked for a moment only. @returns the last of them; null: there are no more */
async function recountLastBackups(db: Db, after: string | null): Promise<string | null> {
  const [row] = await queryRows<{ last: string | null }>(db, 'select recount_last_backups($1) as last', [after])
  return row?.last ?? null
}
