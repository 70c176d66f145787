/** The row of a room, and its translation into what is sent to the region. */
import type { RoomCreation, RoomSettings } from '@roomkeeper/region-protocol'
import type { Selectable } from 'kysely'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
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
