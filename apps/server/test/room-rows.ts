/** Inserts rows into a test database. A test only names the columns that it is about. */
import { randomUUID } from 'node:crypto'
import type { LicenceInformation, SubLicenceEntry } from '@roomkeeper/contract'
import type { Insertable } from 'kysely'
import { type Db, queryRows } from '#platform/database.ts'
import type { Tables } from '#platform/tables.ts'

export interface RoomGiven
  extends Partial<Omit<Insertable<Tables['rooms']>, 'licences' | 'licencesInformation' | 'subLicences'>> {
  createdAt?: string
  licences?: Record<string, number>
  licencesInformation?: LicenceInformation[]
  subLicences?: SubLicenceEntry[]
}

/** @returns the id of the region */
export async function insertRegion(db: Db, given: Partial<Insertable<Tables['regions']>> = {}): Promise<number> {
  const row = {
    name: `region-${randomUUID()}`,
    url: 'https://region.example',
    userName: 'superuser',
    password: '',
    systemPassword: '',
    products: ['ARIS', 'MINING', 'ENTERPRISE'],
    embeddedName: null,
    ...given,
  }
  const { id } = await db.insertInto('regions').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

let counter = 0

/** Rooms without `regionId` get a new region. @returns the names of the rooms */
export async function insertRooms(db: Db, given: readonly RoomGiven[]): Promise<string[]> {
  if (given.length === 0) return []
  const regionId = given.some((each) => each.regionId === undefined) ? await insertRegion(db) : 0
  const rows = given.map((each) => roomRow({ regionId, ...each }))
  await db.insertInto('rooms').values(rows).execute()
  return rows.map(({ name }) => name)
}

export interface BackupGiven {
  /** The name of the room. */
  of: string
  at: string
  kind?: 'classic' | 'd2o'
  restoredAt?: string
}

/** @returns the ids of the backups */
export async function insertRoomBackups(db: Db, given: readonly BackupGiven[]): Promise<string[]> {
  const ids: string[] = []
  for (const { of, at, kind = 'classic', restoredAt = null } of given) {
    const [row] = await queryRows<{ id: string }>(
      db,
      `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at, restored_at)
       select gen_random_uuid(), id, name, $2, name, 1, '', $3, $4 from rooms where name = $1 returning id`,
      [of, kind, at, restoredAt],
    )
    ids.push(row?.id ?? '')
  }
  return ids
}

function roomRow(given: RoomGiven & { regionId: number }): Insertable<Tables['rooms']> {
  const { licences = {}, licencesInformation = [], subLicences = [], ...columns } = given
  counter += 1
  return {
    id: randomUUID(),
    name: `room${counter}`,
    product: 'ARIS',
    edition: 'basic',
    sapNumber: `sap-${counter}`,
    sapNumberLast: null,
    salesChannel: 'direct-sales',
    expirationDate: null,
    customerFirstName: 'Anna',
    customerLastName: 'Smith',
    customerEmail: 'anna@example.com',
    customerContactDetails: null,
    companyName: 'Example Inc',
    salesman: null,
    salesmanEmail: 'sales@example.com',
    additionalEmail: null,
    state: 'DEFAULT',
    priority: 0,
    errorMessage: null,
    subMiningType: 'NONE',
    ...columns,
    licences: JSON.stringify(licences),
    licencesInformation: JSON.stringify(licencesInformation),
    subLicences: JSON.stringify(subLicences),
  } as Insertable<Tables['rooms']>
}
