/** What each field of the list is in the database, and of which kind. */
import {
  editionCodes,
  namesOf,
  productCodes,
  projectRoomStates,
  type RoomField,
  roomFields,
  type SearchField,
  salesChannelCodes,
  searchFields,
  subMiningTypes,
} from '@roomkeeper/contract'

/** A value of a closed set: its name in the database and how it is written on the wire. */
export interface Member {
  name: string
  wire: string
}

/** `dictionary`: in the order of a dictionary; `plain`: character by character. */
export interface TextField {
  kind: 'text'
  column: string
  order: 'dictionary' | 'plain'
}
export interface NumberField {
  kind: 'number'
  column: string
}
export interface DayField {
  kind: 'day'
  column: string
}
export interface TimeField {
  kind: 'time'
  column: string
}
/** In the order of its members. */
export interface ClosedField {
  kind: 'closed'
  column: string
  members: readonly Member[]
}
export interface ShownStateField {
  kind: 'shown-state'
  members: readonly Member[]
}
export interface RegionNameField {
  kind: 'region-name'
}
export type Field = TextField | NumberField | DayField | TimeField | ClosedField | ShownStateField | RegionNameField

const plain = (column: string): Field => ({ kind: 'text', column, order: 'plain' })
const dictionary = (column: string): Field => ({ kind: 'text', column, order: 'dictionary' })
const coded = <Name extends string>(column: string, codes: Record<Name, number>): Field => ({
  kind: 'closed',
  column,
  members: namesOf(codes).map((name) => ({ name, wire: String(codes[name]) })),
})
const named = (names: readonly string[]): Member[] => names.map((name) => ({ name, wire: name }))
const shownState: Field = { kind: 'shown-state', members: named(projectRoomStates) }

export const fields: Readonly<Record<RoomField, Field>> = {
  tenantName: plain('name'),
  product: coded('product', productCodes),
  edition: coded('edition', editionCodes),
  region: { kind: 'number', column: 'region_id' },
  regionName: { kind: 'region-name' },
  productType: coded('sales_channel', salesChannelCodes),
  projectRoomState: shownState,
  state: shownState,
  creationDate: { kind: 'time', column: 'created_at' },
  expirationDate: { kind: 'day', column: 'expiration_date' },
  customerFirstName: dictionary('customer_first_name'),
  customerLastName: dictionary('customer_last_name'),
  customerEmail: dictionary('customer_email'),
  companyName: dictionary('company_name'),
  salesman: dictionary('salesman'),
  salesmanEmail: dictionary('salesman_email'),
  additionalEmail: dictionary('additional_email'),
  sapNumber: plain('sap_number'),
  sapNumberLast: plain('sap_number_last'),
  subMiningType: { kind: 'closed', column: 'sub_mining_type', members: named(subMiningTypes) },
  priority: { kind: 'number', column: 'priority' },
}

/** Columns that make up `rooms.search`, which a trigram index finds substrings in. */
export const indexedColumns: readonly string[] = ['name', 'customer_first_name', 'customer_last_name', 'customer_email']

/** Columns that room_totals has too, under the same names. */
export const summarisedColumns: readonly string[] = ['region_id', 'state', 'product', 'edition', 'sales_channel']

export function isRoomField(name: string): name is RoomField {
  return (roomFields as readonly string[]).includes(name)
}

export function isSearchField(name: string): name is SearchField {
  return (searchFields as readonly string[]).includes(name)
}

/** The column of a field that can be searched. */
export function searchColumn(field: SearchField): string {
  const found = fields[field]
  if (found.kind !== 'text') throw new Error(`${field} is not a text.`)
  return found.column
}
