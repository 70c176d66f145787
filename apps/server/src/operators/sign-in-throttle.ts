/**
 * Slows down guessing without letting anybody lock out an operator from another network: failures count per e-mail and
 * network, and with wider limits per network and per /48 of IPv6, which one attacker may own as a whole. An attempt is
 * counted before the password is checked, and the count is taken back when it was right: of any number of attempts at
 * the same moment, no more are checked than the limit allows.
 */
import { type Db, queryRows } from '#platform/database.ts'
import { networkOf, sitePrefixOf } from '#platform/network-of.ts'
import { type Refusal, refuse } from '#platform/refuse.ts'

const windowMinutes = 15
const failuresPerEmailAndNetwork = 10
const failuresPerNetwork = 100
const failuresPerSite = 300

export interface Attempt {
  /** The e-mail and network of the attempt. */
  address: string
  /** It succeeded: neither it nor the failures before it count any more. */
  succeeded(): Promise<void>
  /** It failed for a reason that is not the caller's: it does not count. */
  takeBack(): Promise<void>
}

/**
 * The attempt counts as a failure until it is reported otherwise. Beyond the limit it is refused without a record: a
 * flood of attempts writes nothing.
 * @throws Refusal `too-many-attempts`
 */
export async function countAttempt(db: Db, email: string, address: string): Promise<Attempt> {
  const who = { email: normal(email), address: networkOf(address) }
  const around = sitePrefixOf(address)
  const refused = whyTooMany(await countFailures(db, who, around), 0)
  if (refused !== null) throw refused
  const { id } = await db.insertInto('failedSignIns').values(who).returning('id').executeTakeFirstOrThrow()
  const takeBack = async () => {
    await db.deleteFrom('failedSignIns').where('id', '=', id).execute()
  }
  // Again, in a statement of its own: the last of several simultaneous attempts sees all the others.
  const overtaken = whyTooMany(await countFailures(db, who, around), 1)
  if (overtaken !== null) {
    await takeBack()
    throw overtaken
  }
  return {
    address,
    takeBack,
    async succeeded() {
      const { email, address } = who
      await db.deleteFrom('failedSignIns').where('email', '=', email).where('address', '=', address).execute()
    },
  }
}

interface Failures {
  /** Of the e-mail, from the network. */
  here: number
  everywhere: number
  /** From the /48; from the network where there is none. */
  around: number
  /** From the network; null: there are none. */
  oldest: string | null
  oldestAround: string | null
}

/** @param who the e-mail, and the network instead of the address. @param sitePrefix of the networks of its /48 */
async function countFailures(
  db: Db,
  who: { email: string; address: string },
  sitePrefix: string | null,
): Promise<Failures | undefined> {
  const [count] = await queryRows<Failures>(
    db,
    `select count(*) filter (where address = $2 and email = $1)::int as here,
        count(*) filter (where address = $2)::int as everywhere, count(*)::int as around,
        min(at) filter (where address = $2) as oldest, min(at) as oldest_around
       from failed_sign_ins where (address = $2 or starts_with(address, $3)) and at > now() - interval '${windowMinutes} minutes'`,
    [who.email, who.address, sitePrefix],
  )
  return count
}

/** @param counted how many of them are the attempt itself; null: it is not too many */
function whyTooMany(failures: Failures | undefined, counted: number): Refusal | null {
  if (failures === undefined) return null
  const { here, everywhere, around, oldest, oldestAround } = failures
  if (here - counted >= failuresPerEmailAndNetwork || everywhere - counted >= failuresPerNetwork) return tooMany(oldest)
  return around - counted >= failuresPerSite ? tooMany(oldestAround) : null
}

function tooMany(oldest: string | null): Refusal {
  const passed = oldest === null ? 0 : Date.now() - Date.parse(oldest)
  return refuse('too-many-attempts', { minutes: Math.max(1, Math.ceil(windowMinutes - passed / 60_000)) })
}

export async function removeOldFailures(db: Db): Promise<void> {
  await queryRows(db, `delete from failed_sign_ins where at < now() - interval '${windowMinutes} minutes'`)
}

function normal(email: string): string {
  return email.trim().toLowerCase().slice(0, 320)
}
