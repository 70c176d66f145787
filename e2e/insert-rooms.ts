/** Rooms that exist only in the console's database, for tests that show rooms but do not create them. */
import { randomUUID } from 'node:crypto'
import type { Edition, Product, ProjectRoomState, SalesChannel } from '@roomkeeper/contract'
import type { Network } from '@roomkeeper/dev-env'

export interface InsertedRoom {
  name: string
  state?: Exclude<ProjectRoomState, 'DISABLED_REGION'>
  product?: Product
  edition?: Edition
  region?: number
  salesChannel?: SalesChannel
  /** `YYYY-MM-DD`; unlimited if absent. */
  expirationDate?: string
  /** ISO 8601; now if absent. */
  createdAt?: string
  firstName?: string
  lastName?: string
  email?: string
  companyName?: string
  sapNumber?: string
  errorMessage?: string
  licences?: Record<string, number>
}

/** The failed requests when the edit screen asks the region for the licences of such a room. */
export const regionKnowsNothing = /^GET \/api\/operator\/room\/(licensesInfo|database) (404|502)$/

export async function insertRooms(network: Network, rooms: readonly InsertedRoom[]): Promise<void> {
  const rows = rooms.map((room) => ({
    id: randomUUID(),
    state: 'DEFAULT',
    product: 'ARIS',
    edition: 'basic',
    region: 1,
    salesChannel: 'direct-sales',
    createdAt: new Date().toISOString(),
    firstName: 'Øyvind',
    lastName: "O'Neil",
    email: 'owner@example.com',
    companyName: 'Example, Inc.',
    sapNumber: '4711',
    licences: { YABD: 1 },
    ...room,
  }))
  await network.database.rows(
    `insert into rooms (id, name, state, product, edition, region_id, sales_channel, expiration_date, created_at,
       customer_first_name, customer_last_name, customer_email, error_message, licences, licences_information,
       sub_licences, sap_number, company_name, salesman_email)
     select id, name, state, product, edition, region, "salesChannel", "expirationDate", "createdAt",
       "firstName", "lastName", email, "errorMessage", licences, '[]', '[]', "sapNumber", "companyName", 'sales@example.com'
     from jsonb_to_recordset($1) as given (id uuid, name text, state room_state, product product, edition edition,
       region integer, "salesChannel" sales_channel, "expirationDate" date, "createdAt" timestamptz,
       "firstName" text, "lastName" text, email text, "companyName" text, "sapNumber" text, "errorMessage" text, licences jsonb)`,
    [JSON.stringify(rows)],
  )
}

/** `prefix01` … `prefixNN`. */
export function numberedRooms(prefix: string, count: number): InsertedRoom[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${prefix}${String(index + 1).padStart(2, '0')}` }))
}
