/**
 * Whether the database was restored from a dump after the operation started. If so, what the operation made may already
 * be in use.
 */
import type { RoomCall } from '../../steps/room-call.ts'

export async function wasRestored(call: Pick<RoomCall, 'id' | 'services'>): Promise<boolean> {
  const { db } = call.services
  const row = await db
    .selectFrom('operations')
    .select('beganBeforeRestore')
    .where('id', '=', call.id)
    .executeTakeFirst()
  return row?.beganBeforeRestore === true
}
