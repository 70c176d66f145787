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
      region_id: room.region,
      sap_number: room.sapNumber,
      sap_number_last: null,
      sales_channel: room.productType,
      expiration_date: room.expirationDate,
      customer_first_name: room.customerFirstName,
      customer_last_name: room.customerLastName,
      customer_email: room.customerEmail,
      customer_contact_details: room.customerContactDetails,
      company_name: room.companyName,
      salesman: room.salesman,
      salesman_email: room.salesmanEmail,
      additional_email: room.additionalEmail,
      state: 'IN_PROGRESS',
      priority: room.priority,
      error_message: null,
      licences: JSON.stringify(room.licenses),
      licences_information: JSON.stringify(room.licensesInformation),
      sub_licences: JSON.stringify(room.subLicenses),
      sub_mining_type: room.subMiningType,
    })
    .execute()
}
