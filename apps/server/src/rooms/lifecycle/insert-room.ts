/** A new room's row: it reserves the name and counts on the region from now on. */
import type { NewRoom } from '@roomkeeper/rules'
import type { Tx } from '#platform/database.ts'

export async function insertRoom(tx: Tx, id: string, room: NewRoom): Promise<void> {
  await tx
    .insertInto('rooms')
    .values({
      id,
      name: room.tenantName,
      product: room.product,
      edition: room.edition,
      regionId: room.region,
      sapNumber: room.sapNumber,
      sapNumberLast: null,
      salesChannel: room.productType,
      expirationDate: room.expirationDate,
      customerFirstName: room.customerFirstName,
      customerLastName: room.customerLastName,
      customerEmail: room.customerEmail,
      customerContactDetails: room.customerContactDetails,
      companyName: room.companyName,
      salesman: room.salesman,
      salesmanEmail: room.salesmanEmail,
      additionalEmail: room.additionalEmail,
      state: 'IN_PROGRESS',
      priority: room.priority,
      errorMessage: null,
      licences: JSON.stringify(room.licenses),
      licencesInformation: JSON.stringify(room.licensesInformation),
      subLicences: JSON.stringify(room.subLicenses),
      subMiningType: room.subMiningType,
    })
    .execute()
}
