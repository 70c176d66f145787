/**
 * Slows down guessing without letting anybody lock an operator out from elsewhere: failures count per e-mail
 * and address, and in a wider limit per address.
 */
import { type Db, queryRows } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'

const windowMinutes = 15
const failuresPerEmailAndAddress = 10
const failuresPerAddress = 100

/** @throws Refusal `too-many-attempts` */
export async function checkThrottle(db: Db, email: string, address: string): Promise<void> {
  const [count] = await queryRows<{ here: number; everywhere: number; oldest: string | null }>(
    db,
    `select count(*) filter (where email = $1)::int as here, count(*)::int as everywhere, min(at) as oldest
       from failed_sign_ins where address = $2 and at > now() - interval '${windowMinutes} minutes'`,
    [normal(email), address],
  )
  if (count === undefined) return
  if (count.here < failuresPerEmailAndAddress && count.everywhere < failuresPerAddress) return
  const oldest = count.oldest === null ? Date.now() : Date.parse(count.oldest)
  const minutes = Math.ceil(windowMinutes - (Date.now() - oldest) / 60_000)
  throw refuse('too-many-attempts', { minutes: Math.max(1, minutes) })
}

export async function noteFailure(db: Db, email: string, address: string): Promise<void> {
  await db
    .insertInto('failed_sign_ins')
    .values({ email: normal(email), address })
    .execute()
}

export async function forgetFailures(db: Db, email: string, address: string): Promise<void> {
  await db.deleteFrom('failed_sign_ins').where('email', '=', normal(email)).where('address', '=', address).execute()
}

export async function removeOldFailures(db: Db): Promise<void> {
  await queryRows(db, `delete from failed_sign_ins where at < now() - interval '${windowMinutes} minutes'`)
}

function normal(email: string): string {
  return email.trim().toLowerCase().slice(0, 320)
}
