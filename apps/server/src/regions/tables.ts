/** The table of regions. */
import type { RegionHealth } from '@roomkeeper/contract'
import type { Generated } from 'kysely'
import type { Defaulted, ReadOnlyColumn } from '#platform/column-types.ts'

export interface RegionTables {
  regions: RegionsTable
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
  /** The instance id of the server; null: not known yet. */
  instanceId: Defaulted<string | null>
  /** Since when another server answers at this address; null: none does. */
  otherServerAt: Defaulted<string | null>
  /** What the newest call has shown; null: nothing yet. */
  health: Defaulted<RegionHealth | null>
  healthSince: Defaulted<string | null>
  softwareVersion: Defaulted<string | null>
  /** Since when webhooks are told that it is down; null: it is not, or nobody knows. */
  downSince: Defaulted<string | null>
  createdAt: ReadOnlyColumn<string>
  /** Counted by the database at each change of the settings. */
  version: Generated<number>
}
