/**
 * A region that only lists the rooms that the database says it has, a page at a time. A million rooms on a real region,
 * each a folder with two SQLite files, would take a day and 100 GB; the doctor does the same with the pages of this
 * one.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

export interface ListingRegion {
  name: string
  url: string
  /** How many pages have been requested so far. */
  pages(): number
  stop(): Promise<void>
}

/** @param instance a number that distinguishes this region from the others, the same in every run */
export async function startListingRegion(databaseUrl: string, name: string, instance: number): Promise<ListingRegion> {
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  let pages = 0
  const status = {
    name,
    version: '1',
    instanceId: `00000000-0000-4000-8000-${String(instance).padStart(12, '0')}`,
    products: ['ARIS', 'MINING', 'ENTERPRISE'],
    rooms: 0,
    freeBytes: 2 ** 40,
  }
  async function answerTo(url: URL): Promise<string | null> {
    const after = url.searchParams.get('after') ?? ''
    const limit = Number(url.searchParams.get('limit') ?? 100)
    switch (url.pathname) {
      case '/region/v1/session':
        return JSON.stringify({ token: 'token', expiresAt: '2099-01-01T00:00:00Z' })
      case '/region/v1/status':
        return JSON.stringify(status)
      case '/region/v1/rooms': {
        pages += 1
        const { rows } = await database.query<{ page: string }>(pageOfRooms, [name, after, limit])
        return rows[0]?.page ?? null
      }
      default:
        return null
    }
  }
  const server = createServer((asked, answer) => {
    asked.resume()
    answerTo(new URL(asked.url ?? '/', 'http://region')).then(
      (body) => answer.writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' }).end(body ?? '{}'),
      () => answer.writeHead(500).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    name,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages: () => pages,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await database.end()
    },
  }
}

/** $1: the region; $2: the room after which the page begins; $3: the page size. Rooms are as the console sent them. */
const pageOfRooms = `
with page as (
  select * from rooms where region_id = (select id from regions where name = $1) and name > $2 order by name limit $3
)
select json_build_object(
  'rooms', coalesce(json_agg(json_build_object(
    'name', name, 'roomId', id, 'product', product, 'edition', edition,
    'state', case when state = 'SUSPENDED' then 'suspended' else 'active' end, 'locked', false, 'lock', null,
    'size', 100000, 'schemaVersion', 1, 'expirationDate', expiration_date, 'databases', '["main"]'::json,
    'settings', json_build_object(
      'licences', licences_information, 'subLicences', sub_licences, 'subMiningType', sub_mining_type,
      'expirationDate', expiration_date,
      'contacts', json_build_object('companyName', company_name, 'customerFirstName', customer_first_name,
        'customerLastName', customer_last_name, 'customerContactDetails', customer_contact_details,
        'ownerEmail', customer_email, 'delegateEmail', additional_email)))
    order by name), '[]'::json),
  'next', case when count(*) = $3 then max(name) end)::text as page
from page`
