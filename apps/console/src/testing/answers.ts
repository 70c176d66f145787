/** What a server answers that has nothing to tell but two empty regions, and the rooms and regions of tests. */
import {
  type LicenceTotals,
  licenceTotalKeys,
  type OperatorSession,
  type ProjectRoom,
  type Region,
  type Role,
  type RoomFieldWith,
  type RoomList,
  roomFieldsWith,
} from '@roomkeeper/contract'
import { ok, type Replies } from './server.ts'

export function sessionOf(role: Role): OperatorSession {
  return { email: 'somebody@example.com', name: 'Some Body', role, secondFactor: false }
}

export function regionOf(given: Partial<Region> = {}): Region {
  const regionId = given.regionId ?? 1
  return {
    regionId,
    regionName: `region-${regionId}`,
    regionIP: 'http://127.0.0.1:1',
    selectedSourceRegion: [],
    userName: 'superuser',
    productVersion: ['ARIS', 'MINING', 'ENTERPRISE'],
    state: 'enabled',
    maxNumOfTenants: -1,
    numberOfProjectRooms: 0,
    isMigrationTarget: false,
    warning: null,
    version: 1,
    softwareVersion: null,
    health: 'answers',
    healthSince: null,
    ...given,
  }
}

/** The texts that a room may go without; `roomOf` sets the others. */
const noTexts = Object.fromEntries(roomFieldsWith('form').map((field) => [field, null])) as Record<
  RoomFieldWith<'form'>,
  null
>

/** An active ARIS Basic room in region-1. */
export function roomOf(given: Partial<ProjectRoom> = {}): ProjectRoom {
  return {
    ...noTexts,
    product: 'ARIS',
    tenantName: 'room',
    edition: 'basic',
    customerFirstName: 'Øyvind',
    customerLastName: "O'Neil",
    customerEmail: 'owner@example.com',
    productType: 'direct-sales',
    region: 1,
    regionName: 'region-1',
    regionIsMigrationTarget: false,
    regionState: 'enabled',
    creationDate: '2026-01-01T00:00:00.000Z',
    expirationDate: null,
    expirationDateFromLocalDate: null,
    projectRoomState: 'DEFAULT',
    companyName: 'Example, Inc.',
    sapNumber: '4711',
    sapNumberLast: null,
    salesmanEmail: 'sales@example.com',
    subMiningType: 'NONE',
    errorMessage: null,
    errorReasons: [],
    priority: 0,
    licenses: { YABD: 1, YABV: 0 },
    licensesInformation: [],
    subLicenses: [],
    options: null,
    version: 1,
    runningOperation: null,
    failedOperationId: null,
    lastBackupAt: null,
    lastBackupVerifiedAt: null,
    labels: [],
    pinnedNotes: [],
    ...given,
  }
}

export function listOf(data: readonly ProjectRoom[], totalElements = data.length): RoomList {
  const licenses = Object.fromEntries(licenceTotalKeys.map((key) => [key, 0])) as LicenceTotals
  return { data: [...data], totalElements, totalPages: Math.ceil(totalElements / 20), licenses }
}

/** The calls that the frame of every page makes. */
export const repliesAtFirst: Replies = {
  languages: () => ok([{ localeKey: 'mcp_ui', file: '' }]),
  attention: () => ok([]),
  maintenance: () => ok({ maintenanceMode: false, maintenanceMessage: '' }),
  regions: () => ok([regionOf(), regionOf({ regionId: 2 })]),
  runningOperations: () => ok([]),
  finishedOperations: () => ok([]),
  signOut: () => ({ status: 204 }),
  views: () => ok([]),
  listRooms: () => ok(listOf([])),
}
