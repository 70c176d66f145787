/** The calls that read project rooms: the list, one room, the export. */
import { z } from 'zod'
import { reasonList } from './coded-text.ts'
import { csvForm } from './csv-form.ts'
import { failureCauses } from './failure-causes.ts'
import { coded } from './field-errors.ts'
import { licenceTotalKeys } from './licences.ts'
import { commaJoined, paged } from './lists.ts'
import { runningOperation } from './operations.ts'
import { searched } from './plain-text.ts'
import { refusalsOfRegions } from './problem.ts'
import { type RoomFieldWith, roomFieldCatalogue, roomFieldSchemas, roomFieldsWith } from './room-field-catalogue.ts'
import { licenceInformation, subLicenceEntry } from './room-fields.ts'
import { pinnedNote } from './room-notes.ts'
import type { Route } from './route.ts'
import { refusalsOfExports } from './tickets.ts'
import { editionCode, productCode, regionStateCode } from './wire-codecs.ts'

export const projectRoom = z.object({
  ...roomFieldSchemas('shown'),
  /** What `errorMessage` says. */
  errorReasons: reasonList,
  regionName: z.string(),
  /** The region is the target of a live migration configuration: the list appends ' (Target)'. */
  regionIsMigrationTarget: z.boolean(),
  /** Decides about actions also where `projectRoomState` does not show it. */
  regionState: regionStateCode,
  /** The day of `expirationDate` without a time, for callers that work in local dates. */
  expirationDateFromLocalDate: z.iso.date().nullable(),
  licenses: z.record(z.string(), z.int()),
  licensesInformation: z.array(licenceInformation),
  subLicenses: z.array(subLicenceEntry),
  /** How a MINING room is licensed by process; null for other products. */
  options: z.enum(['FLEX', 'LIVING']).nullable(),
  /** Grows with each change. */
  version: z.int(),
  runningOperation: runningOperation.nullable(),
  /** The room's newest operation if it failed: its log can be read, and it may be retried. */
  failedOperationId: z.uuid().nullable(),
  /** When the room's newest backup of either kind was made that is not known to be missing or altered. */
  lastBackupAt: z.iso.datetime().nullable(),
  /** When that backup was last restored in a test. */
  lastBackupVerifiedAt: z.iso.datetime().nullable(),
  /** In the order in which they were given. */
  labels: z.array(z.string()),
  /** The newest first. */
  pinnedNotes: z.array(pinnedNote),
})
export type ProjectRoom = z.output<typeof projectRoom>

export const licenceTotals = z.object(
  Object.fromEntries(licenceTotalKeys.map((key) => [key, z.number()])) as Record<
    (typeof licenceTotalKeys)[number],
    z.ZodNumber
  >,
)
export type LicenceTotals = z.output<typeof licenceTotals>

/**
 * The fields that a list can be filtered and sorted by. `state` and `projectRoomState` both mean the shown state.
 * `lastBackup` means `lastBackupAt`: a room without a backup counts as backed up before any time, and equals the empty
 * value or `null`. `failureCause` is why a room is in error; other rooms have none. `customer` is the key of a customer,
 * and equals every spelling of its name. `labels`: a comparison holds if it holds with one of the room's labels.
 */
export const roomFields = [
  ...roomFieldsWith('comparedAs'),
  'regionName',
  'state',
  'lastBackup',
  'failureCause',
  'customer',
  'labels',
  'hasPinnedNote',
] as const
export type RoomField = (typeof roomFields)[number]

/** The fields that can be searched. */
export const searchFields = roomFieldsWith('search')
export type SearchField = RoomFieldWith<'search'>
/** The first fields in the column `rooms.search`: searching all of them together is fast. */
export const indexedSearchFields = searchFields.filter((field) => roomFieldCatalogue[field].search === 'indexed')

/**
 * The fields in which each word of `search` is looked for, beside the labels: all in the column `rooms.search`, in their
 * order.
 */
export const wordFields = [...indexedSearchFields, 'companyName', 'sapNumber', 'sapNumberLast'] as const

export const filterConditions = [
  'EQUALS',
  'NOT_EQUALS',
  'CONTAINS',
  'NOT_CONTAINS',
  'STARTS_WITH',
  'ENDS_WITH',
  'IN',
  'LT',
  'LTE',
  'GT',
  'GTE',
  'IS',
  'IS_NOT',
  'BEFORE',
  'AFTER',
] as const
export type FilterCondition = (typeof filterConditions)[number]

/** The longest text of `search`, in characters. */
export const longestSearch = 200

export const listQuery = {
  order_by: z.string().max(60).default('tenantName'),
  order_dir: z.enum(['asc', 'desc'], { error: coded('must-be-direction') }).default('desc'),
  search_keys: commaJoined.default([]),
  search_values: commaJoined.default([]),
  /** Every word must occur in one of the fields of `wordFields` or in a label, regardless of case. */
  search: searched.max(longestSearch, coded('at-most-characters', { max: longestSearch })).default(''),
  filter_keys: commaJoined.default([]),
  filter_values: commaJoined.default([]),
  filter_conditions: commaJoined.default([]),
}
export const roomListQuery = z.object({
  ...paged(),
  /** Whether the totals come with the page: always; only if they keep it waiting for no long; or without the page. */
  totals: z.enum(['exact', 'if-quick', 'only']).default('exact'),
  ...listQuery,
})
export type RoomListQuery = z.output<typeof roomListQuery>
export const roomExportQuery = z.object(listQuery)
export type RoomExportQuery = z.output<typeof roomExportQuery>

export const roomList = z.object({
  data: z.array(projectRoom),
  /** The totals are over all matches, not only this page. Null only for a caller that asked for them `if-quick`. */
  totalElements: z.int().nullable(),
  totalPages: z.int().nullable(),
  licenses: licenceTotals.nullable(),
})
export type RoomList = z.output<typeof roomList>

/**
 * Counts of all rooms. `elements`: Basic; `enterprise`: Enterprise (MINING); `enterpriseLight`: Advanced, including
 * Base Extension; `yukon`: MINING.
 */
export const overview = z.object({
  directSales: z.int(),
  onlineShop: z.int(),
  elements: z.int(),
  advanced: z.int(),
  enterprise: z.int(),
  enterpriseLight: z.int(),
  aris: z.int(),
  yukon: z.int(),
  enterpriseShared: z.int(),
})
export type Overview = z.output<typeof overview>

const counted = { rooms: z.int() }
/** The data of the charts: counts of the matching rooms. Months look like `2026-01`, are in UTC and have no gaps. */
export const roomStatistics = z.object({
  byProduct: z.array(z.object({ product: productCode, ...counted })),
  byEdition: z.array(z.object({ edition: editionCode, ...counted })),
  byRegion: z.array(z.object({ region: z.int(), regionName: z.string(), ...counted })),
  createdPerMonth: z.array(z.object({ month: z.string().regex(/^\d{4}-\d{2}$/), ...counted })),
  /** Rooms that have no backup younger than so many days. */
  withoutBackup: z.array(z.object({ days: z.int(), ...counted })),
  licenses: licenceTotals,
})
export type RoomStatistics = z.output<typeof roomStatistics>

export const failedRooms = z.array(z.object({ cause: z.enum(failureCauses), ...counted }))
export type FailedRooms = z.output<typeof failedRooms>

export const roomRoutes = {
  listRooms: {
    method: 'POST',
    path: '/api/operator/get_tenants',
    access: 'all',
    summary: 'A page of the project rooms that match a search and filters, with exact totals.',
    query: roomListQuery,
    refuses: ['invalid-filter'],
    answers: { 200: roomList },
  },
  room: {
    method: 'GET',
    path: '/api/operator/room',
    access: 'all',
    summary: 'One project room.',
    query: z.object({ projectRoom: z.string().max(64) }),
    refuses: ['room-unknown'],
    answers: { 200: projectRoom },
  },
  exportRooms: {
    method: 'GET',
    path: '/api/operator/export_tenants',
    access: 'all',
    summary: 'The matching project rooms as CSV.',
    query: roomExportQuery.extend({ csv: csvForm }),
    refuses: ['invalid-filter', ...refusalsOfExports],
    answers: { 200: z.unknown() },
    stream: 'text/csv; charset=utf-8',
  },
  roomLicences: {
    method: 'GET',
    path: '/api/operator/room/licensesInfo',
    access: 'all',
    summary: "A project room's licences and how many of them are used, as its region counts them.",
    query: z.object({ projectRoom: z.string().max(64) }),
    refuses: ['room-unknown', ...refusalsOfRegions],
    answers: { 200: z.array(licenceInformation.extend({ used: z.int() })) },
  },
  roomStatistics: {
    method: 'GET',
    path: '/api/operator/statistics',
    access: 'all',
    summary:
      'Counts of the matching project rooms by product, edition, region, month of creation and age of the last backup, and their licences.',
    query: roomExportQuery,
    refuses: ['invalid-filter'],
    answers: { 200: roomStatistics },
  },
  failedRooms: {
    method: 'GET',
    path: '/api/operator/failed_rooms',
    access: 'all',
    summary: 'Counts of the matching project rooms in error by cause, the most frequent first.',
    query: roomExportQuery,
    refuses: ['invalid-filter'],
    answers: { 200: failedRooms },
  },
  overview: {
    method: 'GET',
    path: '/api/operator/overview',
    access: 'all',
    summary: 'Counts of all project rooms by sales channel, edition and product.',
    answers: { 200: overview },
  },
} as const satisfies Record<string, Route>
