/** The row of a room, and its translation into what is sent to the region. */
import type { RoomCreation, RoomSettings } from '@roomkeeper/region-protocol'
import type { Selectable } from 'kysely'
import type { Db, Tx } from '#platform/database.ts'
import type { RoomsTable } from './tables.ts'

export type StoredRoom = Selectable<RoomsTable>

export function findStoredRoom(db: Db | Tx, roomId: string): Promise<StoredRoom> {
  return db.selectFrom('rooms').selectAll().where('id', '=', roomId).executeTakeFirstOrThrow()
}

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

export function creationOf(room: StoredRoom): RoomCreation {
  return { ...settingsOf(room), roomId: room.id, product: room.product, edition: room.edition, state: 'active' }
}
