/** Inserts the row of a new room. From then on its name is reserved and it counts towards the region's capacity. */
import { roomFieldsWith } from '@roomkeeper/contract'
import type { NewRoom } from '@roomkeeper/rules'
import type { Tx } from '#platform/database.ts'
import { columnsOf } from '../room-field-columns.ts'

export async function insertRoom(tx: Tx, id: string, room: NewRoom): Promise<void> {
  await tx
    .insertInto('rooms')
    .values({
      id,
      ...columnsOf(roomFieldsWith('creation'), room),
      state: 'IN_PROGRESS',
      licences: JSON.stringify(room.licenses),
      licencesInformation: JSON.stringify(room.licensesInformation),
      subLicences: JSON.stringify(room.subLicenses),
    })
    .execute()
}
