/**
 * Slows down password guessing without letting an attacker lock out an operator who signs in from another network.
 * Failures count per e-mail and network and, with higher limits, per network and per IPv6 /48, because one attacker may
 * own a whole /48. An attempt is counted before the password is checked, and uncounted if it was right, so that of many
 * simultaneous attempts no more are checked than the limit allows.
 */
import { type Db, queryRows } from '#platform/database.ts'
import { networkOf, sitePrefixOf } from '#platform/networks.ts'
import { type Refusal, refuse } from '#platform/refuse.ts'

const windowMinutes = 15
const failuresPerEmailAndNetwork = 10
const failuresPerNetwork = 100
const failuresPerSite = 300

export interface Attempt {
  /** The full address of the caller, not only its network. */
  address: string
  /** Call when the attempt succeeded: neither it nor the earlier failures count any longer. */
  succeeded(): Promise<void>
  /** Call when the attempt failed through no fault of the caller: it does not count. */
  takeBack(): Promise<void>
}

/**
 * Counts the attempt as a failure until it is reported otherwise. An attempt beyond the limit is refused without being
 * recorded, so that a flood of attempts writes nothing.
 * @throws Refusal `too-many-attempts`
 */
export async function countAttempt(db: Db, email: string, address: string): Promise<Attempt> {
  const who = { email: normalized(email), address: networkOf(address) }
  const around = sitePrefixOf(address)
  const refused = whyTooMany(await countFailures(db, who, around), 0)
  if (refused !== null) throw refused
  const [counted] = await queryRows<{ id: number }>(
    db,
    'insert into failed_sign_ins (email, address) values ($1, $2) returning id',
    [who.email, who.address],
  )
  if (counted === undefined) throw new Error('The insert of an attempt gave no row.')
  const takeBack = async () => {
    await queryRows(db, 'delete from failed_sign_ins where id = $1', [counted.id])
  }
  // Counts again in a separate statement, so that the last of several simultaneous attempts sees all the others.
  const overtaken = whyTooMany(await countFailures(db, who, around), 1)
  if (overtaken !== null) {
    await takeBack()
    throw overtaken
  }
  return {
    address,
    takeBack,
    async succeeded() {
      await queryRows(db, 'delete from failed_sign_ins where email = $1 and address = $2', [who.email, who.address])
    },
  }
}

interface Failures {
  /** Failures of this e-mail from this network. */
  here: number
  everywhere: number
  /** Failures from the /48, or from the network if the address has none. */
  around: number
  /** How many minutes ago the oldest failure of each of these happened, or null. */
  oldestHere: number | null
  oldestEverywhere: number | null
  oldestAround: number | null
}

/**
 * @param who the e-mail, and as `address` the network
 * @param sitePrefix the prefix that all networks of the same /48 share
 */
async function countFailures(
  db: Db,
  who: { email: string; address: string },
  sitePrefix: string | null,
): Promise<Failures | undefined> {
  const [count] = await queryRows<Failures>(
    db,
    `select count(*) filter (where address = $2 and email = $1)::int as here,
        count(*) filter (where address = $2)::int as everywhere, count(*)::int as around,
        ${minutesSince('min(at) filter (where address = $2 and email = $1)')} as oldest_here,
        ${minutesSince('min(at) filter (where address = $2)')} as oldest_everywhere,
        ${minutesSince('min(at)')} as oldest_around
       from failed_sign_ins where (address = $2 or starts_with(address, $3)) and at > now() - interval '${windowMinutes} minutes'`,
    [who.email, who.address, sitePrefix],
  )
  return count
}

/** @param counted how many of the failures are the current attempt itself @returns null if there are not too many */
function whyTooMany(failures: Failures | undefined, counted: number): Refusal | null {
  if (failures === undefined) return null
  const limits = [
    { count: failures.here, most: failuresPerEmailAndNetwork, oldest: failures.oldestHere },
    { count: failures.everywhere, most: failuresPerNetwork, oldest: failures.oldestEverywhere },
    { count: failures.around, most: failuresPerSite, oldest: failures.oldestAround },
  ]
  const reached = limits.filter(({ count, most }) => count - counted >= most)
  if (reached.length === 0) return null
  return refuse('too-many-attempts', { minutes: Math.max(...reached.map(({ oldest }) => minutesLeft(oldest))) })
}

/** Until the oldest failure no longer counts, so that its limit admits another attempt. */
function minutesLeft(oldest: number | null): number {
  return Math.max(1, Math.ceil(windowMinutes - (oldest ?? 0)))
}

const minutesSince = (time: string) => `(extract(epoch from now() - ${time}) / 60)::float8`

export async function removeOldFailures(db: Db): Promise<void> {
  await queryRows(db, `delete from failed_sign_ins where at < now() - interval '${windowMinutes} minutes'`)
}

function normalized(email: string): string {
  return email.trim().toLowerCase().slice(0, 320)
}
