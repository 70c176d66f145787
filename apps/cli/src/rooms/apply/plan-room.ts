/** Compares a room with what the file says, and plans the changes. */
import { licencesOf, type ProjectRoom, type Region, roomFieldsWith, routes } from '@roomkeeper/contract'
import { emptyMeans } from '@roomkeeper/rules'
import type { RoomFields } from '../room-fields.ts'

export interface FieldChange {
  field: string
  from: unknown
  to: unknown
}

export interface RoomPlan {
  projectRoomName: string
  action: 'create' | 'change' | 'none'
  changes: FieldChange[]
  /** Changes that the file wants, but that are not possible once a room exists. */
  impossible: FieldChange[]
  /** Fields that are required and that neither the room nor the file has. */
  missing: string[]
}

export function planIsPossible({ impossible, missing }: RoomPlan): boolean {
  return impossible.length === 0 && missing.length === 0
}

/** @param room null: there is none of this name @param region the one that the file names */
export function planRoom(wanted: RoomFields, room: ProjectRoom | null, region: Region | null): RoomPlan {
  const projectRoomName = String(wanted.tenantName)
  if (room === null) {
    const changes = changesOf(wanted, null)
    return { projectRoomName, action: 'create', changes, impossible: [], missing: missingIn(wanted, null) }
  }
  const changes = changesOf(wanted, room)
  const impossible = fixedFields.flatMap((field) => changeOf(field, wanted, room))
  if (region !== null && region.regionId !== room.region)
    impossible.push({ field: 'region', from: room.regionName, to: region.regionName })
  if (changes.length === 0) return { projectRoomName, action: 'none', changes, impossible, missing: [] }
  return { projectRoomName, action: 'change', changes, impossible, missing: missingIn(wanted, room) }
}

/** @returns sentences that name the rooms and the fields */
export function describeImpossible(plans: readonly RoomPlan[]): string {
  const fixed = roomsWithFields(plans, ({ impossible }) => impossible.map(({ field }) => field))
  const missing = roomsWithFields(plans, (plan) => plan.missing)
  return [
    ...(fixed === '' ? [] : [`The file wants what cannot be changed: ${fixed}.`]),
    ...(missing === '' ? [] : [`Fields that are needed are missing: ${missing}.`]),
  ].join(' ')
}

const shownRooms = 10

function roomsWithFields(plans: readonly RoomPlan[], fieldsOf: (plan: RoomPlan) => readonly string[]): string {
  const concerned = plans.filter((plan) => fieldsOf(plan).length > 0)
  const rooms = concerned.slice(0, shownRooms).map((plan) => `${plan.projectRoomName} (${fieldsOf(plan).join(', ')})`)
  const more = concerned.length - rooms.length
  return [...rooms, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** The server would refuse them, too, but only after other rooms were changed. */
function missingIn(wanted: RoomFields, room: ProjectRoom | null): string[] {
  const [fields, { shape }] =
    room === null
      ? ([roomFieldsWith('creation'), routes.createRoom.body] as const)
      : ([editable, routes.editRoom.body] as const)
  const schemas: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> = shape
  return fields.filter(
    (field) => schemas[field]?.safeParse(undefined).success === false && plain(wanted[field] ?? room?.[field]) === null,
  )
}

const editable = roomFieldsWith('edit')
/** The region is compared by itself, because a file may name it. The priority is the server's, once a room is there. */
const notCompared: readonly string[] = [...editable, 'tenantName', 'region', 'priority']
const fixedFields = roomFieldsWith('creation').filter((field) => !notCompared.includes(field))

function changesOf(wanted: RoomFields, room: ProjectRoom | null): FieldChange[] {
  const fields = room === null ? [...new Set([...roomFieldsWith('creation'), ...editable])] : editable
  return [
    ...fields.filter((field) => field !== 'tenantName').flatMap((field) => changeOf(field, wanted, room)),
    ...licenceChanges(wanted, room),
  ]
}

function changeOf(
  field: keyof ProjectRoom & keyof RoomFields,
  wanted: RoomFields,
  room: ProjectRoom | null,
): FieldChange[] {
  if (!(field in wanted)) return []
  const [from, to] = [room === null ? null : plain(room[field]), plain(wanted[field])]
  return from === to ? [] : [{ field, from, to }]
}

/** @returns the value as the server keeps it: texts without spaces around them, and null for blank ones */
function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null
  return value.trim() === '' ? null : value.trim()
}

function licenceChanges(wanted: RoomFields, room: ProjectRoom | null): FieldChange[] {
  const offered = room === null ? [] : licencesOf(room.product, room.edition)
  const countOf = (key: string, count: number | null) => {
    const licence = offered.find((each) => each.key === key)
    return count ?? (licence === undefined ? 0 : emptyMeans(licence))
  }
  const typeOf = new Map(room?.licensesInformation.map((each) => [each.licenseKey, each.licenseType]))
  const amountOf = new Map(room?.subLicenses.map((each) => [each.licenseKey, each.subLicenseAmount]))
  const none = room === null ? null : 0
  return [
    ...Object.entries(wanted.licenses ?? {}).map(([key, count]) => ({
      field: `licenses.${key}`,
      from: room !== null && Object.hasOwn(room.licenses, key) ? (room.licenses[key] ?? none) : none,
      to: countOf(key, count),
    })),
    ...Object.entries(wanted.licenceTypes ?? {}).map(([key, type]) => ({
      field: `licensesInformation.${key}`,
      from: typeOf.get(key) ?? null,
      to: type,
    })),
    ...Object.entries(wanted.subLicenses ?? {}).map(([key, amount]) => ({
      field: `subLicenses.${key}`,
      from: amountOf.get(key) ?? none,
      to: amount,
    })),
  ].filter(({ from, to }) => from !== to)
}
