/** Rows to put into a test database; a test names only what it is about. */
import { randomUUID } from 'node:crypto'
import type { LicenceInformation, SubLicenceEntry } from '@roomkeeper/contract'
import type { Insertable } from 'kysely'
import type { Db } from '#platform/database.ts'
import type { RegionsTable, RoomsTable } from '#platform/tables.ts'

export interface RoomGiven
  extends Partial<Omit<Insertable<RoomsTable>, 'licences' | 'licences_information' | 'sub_licences'>> {
  created_at?: string
  licences?: Record<string, number>
  licences_information?: LicenceInformation[]
  sub_licences?: SubLicenceEntry[]
}

/** @returns the id */
export async function insertRegion(db: Db, given: Partial<Insertable<RegionsTable>> = {}): Promise<number> {
  const row = {
    name: `region-${randomUUID()}`,
    url: 'https://region.example',
    user_name: 'superuser',
    password: '',
    system_password: '',
    products: ['ARIS', 'MINING', 'ENTERPRISE'],
    embedded_name: null,
    ...given,
  }
  const { id } = await db.insertInto('regions').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

let counter = 0

/** With `region_id` left out, a region is made. @returns the names */
export async function insertRooms(db: Db, given: readonly RoomGiven[]): Promise<string[]> {
  if (given.length === 0) return []
  const region_id = given.some((each) => each.region_id === undefined) ? await insertRegion(db) : 0
  const rows = given.map((each) => roomRow({ region_id, ...each }))
  await db.insertInto('rooms').values(rows).execute()
  return rows.map(({ name }) => name)
}

function roomRow(given: RoomGiven & { region_id: number }): Insertable<RoomsTable> {
  const { licences = {}, licences_information = [], sub_licences = [], ...columns } = given
  counter += 1
  return {
    id: randomUUID(),
    name: `room${counter}`,
    product: 'ARIS',
    edition: 'basic',
    sap_number: `sap-${counter}`,
    sap_number_last: null,
    sales_channel: 'direct-sales',
    expiration_date: null,
    customer_first_name: 'Anna',
    customer_last_name: 'Smith',
    customer_email: 'anna@example.com',
    customer_contact_details: null,
    company_name: 'Example Inc',
    salesman: null,
    salesman_email: 'sales@example.com',
    additional_email: null,
    state: 'DEFAULT',
    priority: 0,
    error_message: null,
    sub_mining_type: 'NONE',
    ...columns,
    licences: JSON.stringify(licences),
    licences_information: JSON.stringify(licences_information),
    sub_licences: JSON.stringify(sub_licences),
  } as Insertable<RoomsTable>
}
