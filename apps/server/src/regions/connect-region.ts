/**
 * Connections to regions. All clients of one region and stored login share one session; each sign-in makes sure that it
 * is the region itself that answers.
 */
import { createRegionClient, type RegionClient, type RegionStatus, type SharedLogin } from '@roomkeeper/region-protocol'
import type { Db } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { refuse } from '#platform/refuse.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { checkInstance } from './region-instance.ts'

/**
 * @param signal aborts the calls of this client
 * @throws Refusal `region-unknown`
 */
export type ConnectRegion = (regionId: number, signal?: AbortSignal) => Promise<RegionClient>

export function createRegionConnections(db: Db, secrets: SecretBox, log: Log): ConnectRegion {
  const kept = new Map<number, { stored: string; login: SharedLogin }>()
  return async (regionId, signal) => {
    const region = await db
      .selectFrom('regions')
      .select(['id', 'name', 'url', 'user_name', 'password', 'instance_id'])
      .where('id', '=', regionId)
      .executeTakeFirst()
    if (region === undefined) throw refuse('region-unknown', { region: regionId })
    const { name: _, ...decisive } = region
    const stored = JSON.stringify(decisive)
    const known = kept.get(regionId)
    const login = known?.stored === stored ? known.login : { token: null }
    kept.set(regionId, { stored, login })
    const address = { url: region.url, userName: region.user_name, password: secrets.open(region.password).reveal() }
    const onSignIn = (status: RegionStatus) => checkInstance(db, log, region, status.instanceId)
    const client = createRegionClient(address, { login, onSignIn, ...(signal === undefined ? {} : { signal }) })
    return {
      ...client,
      // Who asks how it is looks once more: a session may outlive a change of servers.
      async status() {
        const status = await client.status()
        await onSignIn(status).catch((error: unknown) => {
          login.token = null
          throw error
        })
        return status
      },
    }
  }
}
