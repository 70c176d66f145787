/** Inserts rows into a test database. A test only names the columns that it is about. */
import { randomUUID } from 'node:crypto'
import { columnOf, inSnakeCase } from '#platform/column-names.ts'
import { type Db, queryComposed, queryRows } from '#platform/database.ts'
import type { StoredRoom } from '#rooms/index.ts'

export type RoomGiven = Partial<Omit<StoredRoom, 'licences'> & { licences: Record<string, number> }>

interface RegionGiven {
  id?: number
  name?: string
  url?: string
  state?: 'disabled'
}

/** @returns the id of the region */
export async function insertRegion(db: Db, given: RegionGiven = {}): Promise<number> {
  const row = {
    name: `region-${randomUUID()}`,
    url: 'https://region.example',
    userName: 'superuser',
    password: '',
    systemPassword: '',
    products: ['ARIS', 'MINING', 'ENTERPRISE'],
    ...given,
  }
  const [inserted] = await insert<{ id: number }>(db, 'regions', [row])
  return inserted?.id ?? 0
}

let counter = 0

/** Rooms without `regionId` get a new region. @returns the names of the rooms */
export async function insertRooms(db: Db, given: readonly RoomGiven[]): Promise<string[]> {
  if (given.length === 0) return []
  const regionId = given.some((each) => each.regionId === undefined) ? await insertRegion(db) : 0
  const rows = given.map((each) => roomRow({ regionId, ...each }))
  // A column that is not given has its default.
  for (const alike of Map.groupBy(rows, (row) => Object.keys(row).sort().join()).values())
    await insert(db, 'rooms', alike)
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

/** @param rows which all have the same columns */
function insert<Row>(db: Db, table: string, rows: readonly object[]): Promise<Row[]> {
  const columns = Object.keys(rows[0] ?? {})
    .map(columnOf)
    .join()
  const documents = JSON.stringify(rows.map(inSnakeCase))
  const inserted = `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`
  return queryComposed(db, `${inserted} returning id`, [documents])
}

function roomRow(given: RoomGiven & { regionId: number }) {
  counter += 1
  return {
    id: randomUUID(),
    name: `room${counter}`,
    product: 'ARIS',
    edition: 'basic',
    sapNumber: `sap-${counter}`,
    salesChannel: 'direct-sales',
    customerFirstName: 'Anna',
    customerLastName: 'Smith',
    customerEmail: 'anna@example.com',
    companyName: 'Example Inc',
    salesmanEmail: 'sales@example.com',
    state: 'DEFAULT',
    priority: 0,
    subMiningType: 'NONE',
    licences: {},
    licencesInformation: [],
    subLicences: [],
    ...given,
  }
}
