/** Checks whether each region answers, and whether two of them are the same server. */
import { because } from '@roomkeeper/contract'
import { createRegionClient, type RegionClient } from '@roomkeeper/region-protocol'
import { queryRows } from '#platform/database.ts'
import { databaseIsUnreachable } from '#platform/database-errors.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'
import { damagedIn, type RegionWalk, reasonOf } from '../walk/region-walk.ts'

export interface AskedRegion extends RegionWalk {
  state: 'enabled' | 'disabled'
  /** The name of the other region that is the same server; then `lost` says so too. */
  sameAs: string | null
}

/** @param givenUp regions that this run has given up earlier; they are not asked again */
export async function askRegions(parts: DoctorParts, givenUp: readonly number[]): Promise<AskedRegion[]> {
  const rows = await queryRows<Pick<AskedRegion, 'id' | 'name' | 'url' | 'state'>>(
    parts.db,
    'select id, name, url, state from regions order by id',
  )
  const asked = await Promise.all(
    rows.map(async ({ id, name, url, state }): Promise<AskedRegion & { instanceId: string | null }> => {
      const client = await connect(parts, id)
      const known = { id, name, url, state, sameAs: null, damaged: none, trouble: { findings: 0, suspects: 0 } }
      if (client === null) return { ...known, client: neverAsked(url), lost: cannotSignIn, instanceId: null }
      const region = { ...known, client }
      if (givenUp.includes(id)) return { ...region, lost: stoppedAnswering, instanceId: null }
      try {
        const { instanceId, damagedRooms } = await client.status()
        return { ...region, lost: null, instanceId, damaged: damagedIn(damagedRooms) }
      } catch (error) {
        parts.signal.throwIfAborted()
        return { ...region, lost: reasonOf(error), instanceId: null }
      }
    }),
  )
  const first = new Map<string, string>()
  for (const region of asked) {
    if (region.instanceId === null) continue
    const same = first.get(region.instanceId)
    if (same === undefined) first.set(region.instanceId, region.name)
    else {
      region.sameAs = same
      region.lost = because('same-server', { region: same })
    }
  }
  return asked
}

const none: ReadonlyMap<string, string> = new Map()

export const stoppedAnswering = because('stopped-answering')
const cannotSignIn = because('password-unreadable')

/** @returns null if the region's password was sealed with another key */
async function connect({ connectRegion, signal }: DoctorParts, id: number): Promise<RegionClient | null> {
  try {
    return await connectRegion(id, signal)
  } catch (error) {
    if (databaseIsUnreachable(error)) throw error
    return null
  }
}

/** For a region that is never asked. */
function neverAsked(url: string): RegionClient {
  return createRegionClient({ url, userName: '', password: '' })
}

export function findingsOfRegions(regions: readonly AskedRegion[]): NewFinding[] {
  return regions.flatMap(({ id, name, state, lost, sameAs }): NewFinding[] => {
    if (lost === null) return []
    const about = { section: 'regions', regionId: id } as const
    if (sameAs !== null) return [{ ...about, kind: 'region-twice', facts: { region: sameAs, other: name } }]
    return [{ ...about, kind: 'region-unreachable', facts: { region: name, state }, reasons: { reason: lost } }]
  })
}
