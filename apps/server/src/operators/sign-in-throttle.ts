/**
 * Slows down guessing without letting anybody lock an operator out from elsewhere: failures count per e-mail and
 * network, and in a wider limit per network. An attempt is counted before anything is looked at, and the count is taken
 * back when it was a good one: of any number of attempts at the same moment, no more are looked at than the limit says.
 */
import { type Db, queryRows } from '#platform/database.ts'
import { networkOf } from '#platform/network-of.ts'
import { refuse } from '#platform/refuse.ts'

const windowMinutes = 15
const failuresPerEmailAndNetwork = 10
const failuresPerNetwork = 100

export interface Attempt {
  /** It was a good one: neither it nor the failures before it count any more. */
  succeeded(): Promise<void>
  /** It came to nothing for a reason that is not the caller's: it does not count. */
  takeBack(): Promise<void>
}

/** Whatever becomes of it, it counts as a failure until it says otherwise. @throws Refusal `too-many-attempts` */
export async function countAttempt(db: Db, email: string, address: string): Promise<Attempt> {
  const [who, network] = [normal(email), networkOf(address)]
  const { id } = await db
    .insertInto('failed_sign_ins')
    .values({ email: who, address: network })
    .returning('id')
    .executeTakeFirstOrThrow()
  const takeBack = async () => {
    await db.deleteFrom('failed_sign_ins').where('id', '=', id).execute()
  }
  // A statement of its own: the last of those that come at once sees all the others.
  const [count] = await queryRows<{ here: number; everywhere: number; oldest: string }>(
    db,
    `select count(*) filter (where email = $1)::int as here, count(*)::int as everywhere, min(at) as oldest
       from failed_sign_ins where address = $2 and at > now() - interval '${windowMinutes} minutes'`,
    [who, network],
  )
  if (count !== undefined && (count.here > failuresPerEmailAndNetwork || count.everywhere > failuresPerNetwork)) {
    await takeBack()
    const minutes = Math.ceil(windowMinutes - (Date.now() - Date.parse(count.oldest)) / 60_000)
    throw refuse('too-many-attempts', { minutes: Math.max(1, minutes) })
  }
  return {
    takeBack,
    async succeeded() {
      await db.deleteFrom('failed_sign_ins').where('email', '=', who).where('address', '=', network).execute()
    },
  }
}

export async function removeOldFailures(db: Db): Promise<void> {
  await queryRows(db, `delete from failed_sign_ins where at < now() - interval '${windowMinutes} minutes'`)
}

function normal(email: string): string {
  return email.trim().toLowerCase().slice(0, 320)
}
