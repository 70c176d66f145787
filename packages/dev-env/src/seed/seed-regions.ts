/** Makes many empty rooms fast: on their regions by the protocol, in the console's database by SQL. */
import { randomUUID } from 'node:crypto'
import type { RoomCreation } from '@roomkeeper/region-protocol'
import type { RunningRegion } from '../start-region.ts'

interface SeededNetwork {
  regions: readonly RunningRegion[]
  database: { rows(statement: string, values?: unknown[]): Promise<unknown[]> }
}

export interface RegionSeed {
  rooms: number
  companyName: string
  /** Lowercase letters; the rooms are named `<prefix>1` … */
  prefix: string
}

const atOnce = 8
const rowsAtOnce = 500

/** The rooms are spread evenly over the regions of the network, which are registered as 1, 2, … @returns their names */
export async function seedRegions(network: SeededNetwork, seed: RegionSeed): Promise<string[]> {
  const rooms = Array.from({ length: seed.rooms }, (_, index) => ({
    id: randomUUID(),
    name: `${seed.prefix}${index + 1}`,
    region: index % network.regions.length,
  }))
  const waiting = [...rooms]
  const work = async () => {
    for (let room = waiting.shift(); room !== undefined; room = waiting.shift()) {
      const { id: roomId, name, region } = room
      await network.regions[region]?.client.createRoom(name, creationOf(roomId, seed), markOf(roomId))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  for (let from = 0; from < rooms.length; from += rowsAtOnce) {
    const some = rooms.slice(from, from + rowsAtOnce)
    await network.database.rows(insertRooms, [
      some.map(({ id }) => id),
      some.map(({ name }) => name),
      some.map(({ region }) => region + 1),
      seed.companyName,
    ])
  }
  return rooms.map(({ name }) => name)
}

function creationOf(roomId: string, { companyName }: RegionSeed): RoomCreation {
  return {
    roomId,
    product: 'ARIS',
    edition: 'basic',
    licences: [{ licenseKey: 'YABD', licenseAmount: 1, licenseType: 'NUC' }],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts: {
      companyName,
      customerFirstName: 'Ada',
      customerLastName: 'Lovelace',
      customerContactDetails: null,
      ownerEmail: 'owner@example.com',
      delegateEmail: null,
    },
  }
}

function markOf(roomId: string) {
  return { operation: roomId, fence: 1, key: `${roomId}:create` }
}

const insertRooms = `
  insert into rooms (id, name, product, edition, region_id, sap_number, sales_channel, customer_first_name,
                     customer_last_name, customer_email, company_name, salesman_email, state, licences,
                     licences_information, sub_licences)
  select id, name, 'ARIS', 'basic', region_id, '4711', 'direct-sales', 'Ada', 'Lovelace', 'owner@example.com', $4,
         'sales@example.com', 'DEFAULT', '{"YABD": 1}', '[{"licenseKey": "YABD", "licenseAmount": 1, "licenseType": "NUC"}]',
         '[]'
    from unnest($1::uuid[], $2::text[], $3::int[]) as given (id, name, region_id)`
