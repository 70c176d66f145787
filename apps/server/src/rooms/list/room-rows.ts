/** Rooms as rows with their region and operations, and as the wire shows them. */
import type { ProcessType, ProjectRoom } from '@roomkeeper/contract'
import { processTypeOf } from '@roomkeeper/rules'
import type { Selectable } from 'kysely'
import type { RoomsTable } from '#platform/tables.ts'
import { shownState } from './shown-state.ts'

export interface RoomRow extends Selectable<RoomsTable> {
  region_name: string
  region_is_disabled: boolean
  region_is_target: boolean
  /** What runs or waits for the room. */
  operation_id: string | null
  process_type: ProcessType | null
  step: string | null
  progress: number | null
  /** The newest operation with an entry in the monitoring, when it failed. */
  failed_operation_id: string | null
}

/** Of a room `r`, its region and operations: what a RoomRow has. */
export const roomColumns = `
  r.id, r.name, r.product, r.edition, r.region_id, r.sap_number, r.sap_number_last, r.sales_channel,
  r.expiration_date, r.created_at, r.customer_first_name, r.customer_last_name, r.customer_email,
  r.customer_contact_details, r.company_name, r.salesman, r.salesman_email, r.additional_email, r.state, r.priority,
  r.error_message, r.licences, r.licences_information, r.sub_licences, r.sub_mining_type, r.version,
  g.name as region_name, g.state = 'disabled' as region_is_disabled,
  exists (select from live_migrations where target_region_id = r.region_id) as region_is_target,
  o.id as operation_id, o.process_type, o.step, o.progress, f.id as failed_operation_id`

/** To be joined to `rooms r`. */
export const roomJoins = `
  join regions g on g.id = r.region_id
  left join operations o on o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling')
  left join lateral (
    select id, state from operations where room_id = r.id and process_type is not null order by created_at desc limit 1
  ) f on f.state = 'failed'`

/** `$1`: names. In any order. */
export const selectRoomsByName = `select ${roomColumns} from rooms r ${roomJoins} where r.name = any($1::text[])`

export function presentRoom(row: RoomRow): ProjectRoom {
  const room = {
    product: row.product,
    edition: row.edition,
    licenses: row.licences,
    licensesInformation: row.licences_information,
    subLicenses: row.sub_licences,
  }
  return {
    ...room,
    ...contactsOf(row),
    tenantName: row.name,
    region: row.region_id,
    regionName: row.region_name,
    regionIsMigrationTarget: row.region_is_target,
    sapNumber: row.sap_number,
    sapNumberLast: row.sap_number_last,
    productType: row.sales_channel,
    expirationDate: row.expiration_date,
    expirationDateFromLocalDate: row.expiration_date,
    creationDate: row.created_at,
    projectRoomState: shownState(row.state, row.region_is_disabled),
    priority: row.priority,
    errorMessage: row.error_message,
    subMiningType: row.sub_mining_type,
    options: processTypeOf(room),
    version: row.version,
    runningOperation: runningOperationOf(row),
    failedOperationId: row.failed_operation_id,
  }
}

function contactsOf(row: RoomRow) {
  return {
    customerFirstName: row.customer_first_name,
    customerLastName: row.customer_last_name,
    customerEmail: row.customer_email,
    customerContactDetails: row.customer_contact_details,
    companyName: row.company_name,
    salesman: row.salesman,
    salesmanEmail: row.salesman_email,
    additionalEmail: row.additional_email,
  }
}

export function runningOperationOf({
  operation_id,
  process_type,
  step,
  progress,
}: RoomRow): ProjectRoom['runningOperation'] {
  if (operation_id === null) return null
  return { operationId: operation_id, processType: process_type, step, progress: progress ?? 0 }
}
