/** Whether a reminder that has waited for the mail server is still true when it is sent. */
import { type Db, queryRows } from '#platform/database.ts'

export async function stillExpires(
  db: Db,
  { roomId, expirationDate }: { roomId: string; expirationDate: string },
): Promise<boolean> {
  const found = await queryRows(
    db,
    `select 1 as found from rooms where id = $1 and expiration_date = $2 and state <> 'MARKED_FOR_DELETION'
        and expiration_date >= (now() at time zone 'utc')::date`,
    [roomId, expirationDate],
  )
  return found.length > 0
}
