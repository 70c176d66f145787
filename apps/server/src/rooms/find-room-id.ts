import type { Db } from '#platform/database.ts'

/** The id of the room with this name, or null. */
export async function findRoomId(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('rooms').select('id').where('name', '=', name).executeTakeFirst()
  return row?.id ?? null
}
