/** Regions, what they redirect, and what may still reach them. */
import type { Generated } from 'kysely'
import type { Defaulted, Made } from '#platform/column-types.ts'

export interface RegionTables {
  regions: RegionsTable
  roomRoutes: RoomRoutesTable
  lateCalls: LateCallsTable
}

export interface RegionsTable {
  id: Generated<number>
  name: string
  url: string
  userName: string
  password: string
  systemPassword: string
  products: string[]
  sourceRegions: Defaulted<number[]>
  state: Defaulted<'enabled' | 'disabled'>
  maxRooms: Defaulted<number>
  roomCount: Generated<number>
  embeddedName: string | null
  /** Of the server itself; null until it has told one. */
  instanceId: Defaulted<string | null>
  /** Since when another server answers there. */
  otherServerAt: Defaulted<string | null>
  createdAt: Made<string>
}

export interface RoomRoutesTable {
  roomId: string
  regionId: number
  roomName: string
  targetRegionId: number
}

/** What operations that have ended may still have on its way. */
export interface LateCallsTable {
  operationId: string
  regionId: number
  roomId: string | null
  fence: number
  endedAt: Defaulted<string>
}
