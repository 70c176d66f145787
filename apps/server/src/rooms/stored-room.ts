/** The row of a room, how it is found and locked, and its translation into what is sent to the region. */

import type { RegionState } from '@roomkeeper/contract'
import type { RoomCreation, RoomSettings } from '@roomkeeper/region-protocol'
import type { RoomSituation } from '@roomkeeper/rules'
import type { Selectable } from 'kysely'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { RoomsTable } from './tables.ts'

export type StoredRoom = Selectable<RoomsTable>

/** What the steps of operations need of a room. */
export type RoomOfSteps = RegionColumns & Pick<StoredRoom, 'id' | 'name' | 'regionId' | 'state' | 'product' | 'edition'>

/** @throws Error when there is no such room */
export async function findRoomOfSteps(db: Db | Tx, roomId: string): Promise<RoomOfSteps> {
  const [room] = await queryRows<RoomOfSteps>(db, roomOfSteps, [roomId])
  if (room === undefined) throw new Error('The room of the operation is gone.')
  return room
}

const roomOfSteps = `
  select id, name, region_id, state, product, edition, licences_information, sub_licences, sub_mining_type, expiration_date,
         company_name, customer_first_name, customer_last_name, customer_contact_details, customer_email, additional_email
    from rooms where id = $1`

export type RegionColumns = Pick<
  StoredRoom,
  | 'licencesInformation'
  | 'subLicences'
  | 'subMiningType'
  | 'expirationDate'
  | 'companyName'
  | 'customerFirstName'
  | 'customerLastName'
  | 'customerContactDetails'
  | 'customerEmail'
  | 'additionalEmail'
>

export function settingsOf(room: RegionColumns): RoomSettings {
  return {
    licences: room.licencesInformation,
    subLicences: room.subLicences,
    subMiningType: room.subMiningType,
    expirationDate: room.expirationDate,
    contacts: {
      companyName: room.companyName,
      customerFirstName: room.customerFirstName,
      customerLastName: room.customerLastName,
      customerContactDetails: room.customerContactDetails,
      ownerEmail: room.customerEmail,
      delegateEmail: room.additionalEmail,
    },
  }
}

export function creationOf(room: RoomOfSteps): RoomCreation {
  return { ...settingsOf(room), roomId: room.id, product: room.product, edition: room.edition, state: 'active' }
}

/** The id of the room with this name, or null. */
export async function findRoomId(db: Db, name: string): Promise<string | null> {
  const row = await db.selectFrom('rooms').select('id').where('name', '=', name).executeTakeFirst()
  return row?.id ?? null
}

/** The row of a room and the name of its region. @throws Refusal `room-unknown` */
export async function findRoomOnRegion(db: Db, name: string): Promise<{ room: StoredRoom; regionName: string }> {
  const row = await db
    .selectFrom('rooms')
    .innerJoin('regions', 'regions.id', 'rooms.regionId')
    .selectAll('rooms')
    .select('regions.name as regionName')
    .where('rooms.name', '=', name)
    .executeTakeFirst()
  if (row === undefined) throw refuse('room-unknown', { room: name })
  const { regionName, ...room } = row
  return { room, regionName }
}

export interface LockedRoom {
  row: StoredRoom
  regionName: string
  situation: RoomSituation
}

/** Reads the room's row and locks it until the transaction ends. @throws Refusal `room-unknown` */
export async function lockRoom(tx: Tx, name: string): Promise<LockedRoom> {
  const row = await tx.selectFrom('rooms').selectAll().where('name', '=', name).forUpdate().executeTakeFirst()
  if (row === undefined) throw refuse('room-unknown', { room: name })
  const region = await tx
    .selectFrom('regions')
    .select(['name', 'state'])
    .where('id', '=', row.regionId)
    .executeTakeFirstOrThrow()
  return { row, regionName: region.name, situation: situationOf(row, region.state) }
}

function situationOf(row: StoredRoom, regionState: RegionState): RoomSituation {
  return { projectRoomState: row.state, productType: row.salesChannel, regionState }
}
