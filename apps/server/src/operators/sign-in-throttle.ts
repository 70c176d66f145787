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
  /** Whose it is. */
  address: string
  /** It was a good one: neither it nor the failures before it count any more. */
  succeeded(): Promise<void>
  /** It came to nothing for a reason that is not the caller's: it does not count. */
  takeBack(): Promise<void>
}

/**
 * Whatever becomes of it, it counts as a failure until it says otherwise. Beyond the limit it is refused without a trace:
 * a flood without an account writes nothing.
 * @throws Refusal `too-many-attempts`
 */
export async function countAttempt(db: Db, email: string, address: string): Promise<Attempt> {
  const who = { email: normal(email), address: networkOf(address) }
  const before = await countFailures(db, who)
  if (before.here >= failuresPerEmailAndNetwork || before.everywhere >= failuresPerNetwork) throw tooMany(before)
  const { id } = await db.insertInto('failed_sign_ins').values(who).returning('id').executeTakeFirstOrThrow()
  const takeBack = async () => {
    await db.deleteFrom('failed_sign_ins').where('id', '=', id).execute()
  }
  // Once more, in a statement of its own: the last of those that come at once sees all the others.
  const count = await countFailures(db, who)
  if (count.here > failuresPerEmailAndNetwork || count.everywhere > failuresPerNetwork) {
    await takeBack()
    throw tooMany(count)
  }
  return {
    address,
    takeBack,
    async succeeded() {
      const { email, address } = who
      await db.deleteFrom('failed_sign_ins').where('email', '=', email).where('address', '=', address).execute()
    },
  }
}

interface Failures {
  here: number
  everywhere: number
  /** null: there are none. */
  oldest: string | null
}

/** @param who the e-mail, and the network in the place of the address */
async function countFailures(db: Db, who: { email: string; address: string }): Promise<Failures> {
  const [count] = await queryRows<Failures>(
    db,
    `select count(*) filter (where email = $1)::int as here, count(*)::int as everywhere, min(at) as oldest
       from failed_sign_ins where address = $2 and at > now() - interval '${windowMinutes} minutes'`,
    [who.email, who.address],
  )
  return count ?? { here: 0, everywhere: 0, oldest: null }
}

function tooMany({ oldest }: Failures) {
  const passed = oldest === null ? 0 : Date.now() - Date.parse(oldest)
  return refuse('too-many-attempts', { minutes: Math.max(1, Math.ceil(windowMinutes - passed / 60_000)) })
}

export async function removeOldFailures(db: Db): Promise<void> {
  await queryRows(db, `delete from failed_sign_ins where at < now() - interval '${windowMinutes} minutes'`)
}

function normal(email: string): string {
  return email.trim().toLowerCase().slice(0, 320)
}
