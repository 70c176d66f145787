import type { Db } from '#platform/database.ts'

/** Null: there is no room of that name. */
export async function findRoomId(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('rooms').select('id').where('name', '=', name).executeTakeFirst()
  return row?.id ?? null
}
