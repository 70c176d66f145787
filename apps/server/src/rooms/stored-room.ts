/** The row of a room, how it is found and locked, and its translation into what is sent to the region. */

import type { LicenceInformation, ProjectRoomState, Reasons, RegionState, SubLicenceEntry } from '@roomkeeper/contract'
import type { RoomCreation, RoomSettings } from '@roomkeeper/region-protocol'
import type { RoomSituation } from '@roomkeeper/rules'
import { columnOf } from '#platform/column-names.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { type FieldColumns, fieldColumns } from './room-field-columns.ts'

/** `lost` means that the region does not have the room, or not with the content that was moved there. */
export type RoomErrorCode = 'lost'

/** The stored state is never DISABLED_REGION. */
export type RoomState = Exclude<ProjectRoomState, 'DISABLED_REGION'>

export interface StoredRoom extends Omit<FieldColumns, 'state'> {
  id: string
  state: RoomState
  licences: Record<string, number>
  licencesInformation: LicenceInformation[]
  subLicences: SubLicenceEntry[]
  labels: string[]
  version: number
  errorCode: RoomErrorCode | null
  errorReasons: Reasons | null
}

const roomColumns = `id, ${fieldColumns.map((column) => columnOf(column)).join(', ')}, licences, licences_information,
  sub_licences, labels, version, error_code, error_reasons`

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
  const [row] = await queryRows<{ id: string }>(db, 'select id from rooms where name = $1', [name])
  return row?.id ?? null
}

interface RoomOnRegion extends Pick<StoredRoom, 'id' | 'name' | 'edition' | 'regionId'> {
  regionName: string
}

/** @throws Refusal `room-unknown` */
export async function findRoomOnRegion(db: Db, name: string): Promise<RoomOnRegion> {
  const [room] = await queryRows<RoomOnRegion>(
    db,
    `select r.id, r.name, r.edition, r.region_id, g.name as region_name from rooms r join regions g on g.id = r.region_id
      where r.name = $1`,
    [name],
  )
  if (room === undefined) throw refuse('room-unknown', { room: name })
  return room
}

export interface LockedRoom {
  row: StoredRoom
  regionName: string
  situation: RoomSituation
}

/** Reads the room's row and locks it until the transaction ends. @throws Refusal `room-unknown` */
export async function lockRoom(tx: Tx, name: string): Promise<LockedRoom> {
  const [row] = await queryRows<StoredRoom>(tx, `select ${roomColumns} from rooms where name = $1 for update`, [name])
  if (row === undefined) throw refuse('room-unknown', { room: name })
  const [region] = await queryRows<{ name: string; state: RegionState }>(
    tx,
    'select name, state from regions where id = $1',
    [row.regionId],
  )
  if (region === undefined) throw new Error('The region of the room is gone.')
  return { row, regionName: region.name, situation: situationOf(row, region.state) }
}

/** Those that there are (any more), by id. Not locked: what is decided by them has to be asked for again. */
export async function readRooms(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, Pick<LockedRoom, 'row' | 'situation'>>> {
  const rows = await queryRows<StoredRoom & { regionState: RegionState }>(
    db,
    `select ${roomColumns}, (select g.state from regions g where g.id = rooms.region_id) as region_state
       from rooms where id = any($1)`,
    [ids],
  )
  return new Map(rows.map(({ regionState, ...row }) => [row.id, { row, situation: situationOf(row, regionState) }]))
}

function situationOf(row: StoredRoom, regionState: RegionState): RoomSituation {
  return { projectRoomState: row.state, productType: row.salesChannel, regionState }
}
