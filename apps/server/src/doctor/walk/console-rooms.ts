/** The console's rooms, page by page, in the byte order of their names, which regions use too. */

import { type Db, queryRows } from '#platform/database.ts'
import type { RegionColumns, StoredRoom } from '#rooms/index.ts'
import { consolePageRooms } from '../doctor-parts.ts'

export type ConsoleRoom = RegionColumns &
  Pick<StoredRoom, 'id' | 'name' | 'regionId' | 'state' | 'product' | 'edition'> & {
    /** An operation of the room waits or runs, so its state may change. */
    busy: boolean
  }

export const consoleColumns = `r.id, r.name, r.region_id, r.state, r.product, r.edition, r.licences_information,
  r.sub_licences, r.sub_mining_type, r.expiration_date, r.company_name, r.customer_first_name, r.customer_last_name,
  r.customer_contact_details, r.customer_email, r.additional_email,
  exists (select from operations o where o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling')) as busy`

/** @param after the name after which the page starts */
export async function* consoleRooms(db: Db, after: string): AsyncGenerator<ConsoleRoom> {
  for (let last = after; ; ) {
    const page = await queryRows<ConsoleRoom>(
      db,
      `select ${consoleColumns} from rooms r where r.name > $1 order by r.name limit $2`,
      [last, consolePageRooms],
    )
    yield* page
    if (page.length < consolePageRooms) return
    last = page.at(-1)?.name ?? last
  }
}
