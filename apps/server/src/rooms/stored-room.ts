/** A room's row, and what of it the region is told. */
import type { RoomCreation, RoomSettings } from '@roomkeeper/region-protocol'
import type { Selectable } from 'kysely'
import type { Db, Tx } from '#platform/database.ts'
import type { RoomsTable } from '#platform/tables.ts'

export type StoredRoom = Selectable<RoomsTable>

export function findStoredRoom(db: Db | Tx, roomId: string): Promise<StoredRoom> {
  return db.selectFrom('rooms').selectAll().where('id', '=', roomId).executeTakeFirstOrThrow()
}

/** The columns that the region is told. */
export type ToldColumns = Pick<
  StoredRoom,
  | 'licences_information'
  | 'sub_licences'
  | 'sub_mining_type'
  | 'expiration_date'
  | 'company_name'
  | 'customer_first_name'
  | 'customer_last_name'
  | 'customer_contact_details'
  | 'customer_email'
  | 'additional_email'
>

export function settingsOf(room: ToldColumns): RoomSettings {
  return {
    licences: room.licences_information,
    subLicences: room.sub_licences,
    subMiningType: room.sub_mining_type,
    expirationDate: room.expiration_date,
    contacts: {
      companyName: room.company_name,
      customerFirstName: room.customer_first_name,
      customerLastName: room.customer_last_name,
      customerContactDetails: room.customer_contact_details,
      ownerEmail: room.customer_email,
      delegateEmail: room.additional_email,
    },
  }
}

export function creationOf(room: StoredRoom): RoomCreation {
  return { ...settingsOf(room), roomId: room.id, product: room.product, edition: room.edition, state: 'active' }
}
