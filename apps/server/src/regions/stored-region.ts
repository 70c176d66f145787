/** Rows of regions, and what operators see of them: never a password. */
import type { Region, RegionHealth, RegionState } from '@roomkeeper/contract'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { Secret, SecretBox } from '#platform/secrets.ts'

/** The settings of a region, and which server it is. */
export interface StoredRegion {
  id: number
  name: string
  url: string
  userName: string
  /** Sealed. */
  password: string
  products: string[]
  sourceRegions: number[]
  state: RegionState
  maxRooms: number
  /** Counted by the database at each change of the settings. */
  version: number
  /** The instance id of the server; null: not known yet. */
  instanceId: string | null
}

interface ShownRow extends Omit<StoredRegion, 'password' | 'instanceId'> {
  roomCount: number
  /** Since when another server answers at this address; null: none does. */
  otherServerAt: string | null
  softwareVersion: string | null
  /** What the newest call has shown; null: nothing yet. */
  health: RegionHealth | null
  healthSince: string | null
  isTarget: boolean
  isTwice: boolean
}

const shownRows = `
  select r.id, r.name, r.url, r.user_name, r.products, r.source_regions, r.state, r.max_rooms, r.room_count, r.version,
    r.other_server_at, r.software_version, r.health, r.health_since,
    exists (select 1 from live_migrations m where m.target_region_id = r.id) as is_target,
    exists (select 1 from regions other where other.instance_id = r.instance_id and other.id <> r.id) as is_twice
    from regions r`

/** All regions, by id. */
export async function listRegions(db: Db): Promise<Region[]> {
  return (await queryRows<ShownRow>(db, `${shownRows} order by r.id`)).map(toRegion)
}

/** Enabled regions, by id: only these take new rooms. */
export async function listSourceRegions(db: Db): Promise<Region[]> {
  return (await queryRows<ShownRow>(db, `${shownRows} where r.state = 'enabled' order by r.id`)).map(toRegion)
}

export async function findRegion(tx: Tx, id: number): Promise<Region> {
  const [row] = await queryRows<ShownRow>(tx, `${shownRows} where r.id = $1`, [id])
  if (row === undefined) throw new Error(`The region ${id} is gone.`)
  return toRegion(row)
}

/** Makes changes of regions' settings exclude each other, so that ids checked by one still exist when it commits. */
export async function lockSettings(tx: Tx): Promise<void> {
  await lockUntilCommit(tx, 'settings of regions')
}

function toRegion(row: ShownRow): Region {
  return {
    regionId: row.id,
    regionName: row.name,
    regionIP: row.url,
    selectedSourceRegion: row.sourceRegions,
    userName: row.userName,
    productVersion: row.products as Region['productVersion'],
    state: row.state,
    maxNumOfTenants: row.maxRooms,
    numberOfProjectRooms: row.roomCount,
    isMigrationTarget: row.isTarget,
    warning: row.otherServerAt !== null ? 'other-server' : row.isTwice ? 'registered-twice' : null,
    version: row.version,
    softwareVersion: row.softwareVersion,
    health: row.health,
    healthSince: row.healthSince,
  }
}

/**
 * The password with which a region allows changes of system databases, read anew.
 * @throws Refusal `region-unknown`
 */
export async function systemPasswordOf(db: Db, secrets: SecretBox, regionId: number): Promise<Secret> {
  const [row] = await queryRows<{ systemPassword: string }>(db, 'select system_password from regions where id = $1', [
    regionId,
  ])
  if (row === undefined) throw refuse('region-unknown', { region: regionId })
  return secrets.open(row.systemPassword)
}
