/** Connections to regions. All clients of one region and stored login share one session. */
import { createRegionClient, type RegionClient, type SharedLogin } from '@roomkeeper/region-protocol'
import type { Db } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { SecretBox } from '#platform/secrets.ts'

/**
 * @param signal aborts the calls of this client
 * @throws Refusal `region-unknown`
 */
export type ConnectRegion = (regionId: number, signal?: AbortSignal) => Promise<RegionClient>

export function createRegionConnections(db: Db, secrets: SecretBox): ConnectRegion {
  const kept = new Map<number, { stored: string; login: SharedLogin }>()
  return async (regionId, signal) => {
    const region = await db
      .selectFrom('regions')
      .select(['url', 'user_name', 'password'])
      .where('id', '=', regionId)
      .executeTakeFirst()
    if (region === undefined) throw refuse('region-unknown', { region: regionId })
    const stored = JSON.stringify(region)
    const known = kept.get(regionId)
    const login = known?.stored === stored ? known.login : { token: null }
    kept.set(regionId, { stored, login })
    const address = { url: region.url, userName: region.user_name, password: secrets.open(region.password).reveal() }
    return createRegionClient(address, signal === undefined ? { login } : { login, signal })
  }
}
