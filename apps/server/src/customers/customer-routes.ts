import { recordChange } from '#changes/index.ts'
import { createConcurrencyLimit } from '#platform/concurrency-limit.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { networkOf } from '#platform/networks.ts'
import { type RateLimit, takeFromRateLimit } from '#platform/rate-limit.ts'
import { refuse } from '#platform/refuse.ts'

type CustomerHandlers = Pick<Handlers, 'languages' | 'customerComponent' | 'findCustomerRoom' | 'forgotRoomName'>

export interface CustomerParts {
  database: Database
  languages: readonly { key: string; path: string }[]
  /** The URL of a script for the customer-facing pages. */
  componentUrl: string | undefined
}

const findRoomLimit: RateLimit = { what: 'find-customer-room', most: 10, withinSeconds: 60 }
const forgotNameLimit: RateLimit = { what: 'forgot-room-name', most: 10, withinSeconds: 60 }
const mailLimit: RateLimit = { what: 'forgotten-name-mail', most: 3, withinSeconds: 3600 }
/**
 * Each count waits for the row of the counted caller. The limit leaves connections for all other callers while a
 * stranger's calls wait.
 */
const counting = createConcurrencyLimit({ atOnce: 3, atOnceOfOne: 1, queue: 100, queueOfOne: 20 })

export function customerHandlers({ database, languages, componentUrl }: CustomerParts): CustomerHandlers {
  const { db } = database
  return {
    customerComponent: async () => ok({ url: componentUrl ?? null }),
    languages: async () => ok(languages.map(({ key, path }) => ({ localeKey: key, file: path }))),
    async findCustomerRoom({ body, address }) {
      await checkRateLimit(db, findRoomLimit, address)
      const [room] = await queryRows<{ name: string; url: string }>(
        db,
        'select r.name, regions.url from rooms r join regions on regions.id = r.region_id where r.name = $1',
        [body.name],
      )
      if (room === undefined) throw refuse('address-unknown')
      return ok({ url: `${room.url}/${room.name}` })
    },
    /** Reads no rooms, so that neither the answer nor its timing reveals whether the address has any. */
    async forgotRoomName({ body, address }) {
      await checkRateLimit(db, forgotNameLimit, address)
      const email = body.email.toLowerCase()
      if (await counting.run(() => takeFromRateLimit(db, mailLimit, email), { owner: networkOf(address) })) {
        const mail = { kind: 'room-names', to: email, text: null, operationId: null, room: null }
        await recordChange(db, { kind: 'customer.forgot-names', mail })
      }
      return noContent
    },
  }
}

/** @throws Refusal `too-many-calls` */
async function checkRateLimit(db: Database['db'], limit: RateLimit, address: string): Promise<void> {
  const network = networkOf(address)
  const isWithin = await counting.run(() => takeFromRateLimit(db, limit, network), { owner: network })
  if (!isWithin) throw refuse('too-many-calls')
}
