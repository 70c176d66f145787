/** Connections of a drill: every region counts as one that does not answer, and nothing is sent to it. */
import { createRegionClient, type RegionClient, RegionUnreachable } from '@roomkeeper/region-protocol'
import type { ConnectRegion } from './connect-region.ts'

export function drillConnections(): ConnectRegion {
  const calls = Object.keys(createRegionClient({ url: 'http://drill.invalid', userName: '', password: '' }))
  const refused = async () => {
    throw new RegionUnreachable('this console is a drill')
  }
  const client = Object.fromEntries(calls.map((name) => [name, refused])) as unknown as RegionClient
  return async () => client
}
