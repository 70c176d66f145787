/** The names that regions have in the console, by the clients that are connected to them. */
import type { RegionClient } from '@roomkeeper/region-protocol'

const names = new WeakMap<RegionClient, string>()

/** Undefined for clients of regions that are not registered (yet). */
export function nameOfClient(client: RegionClient): string | undefined {
  return names.get(client)
}

/** @returns the same client */
export function nameRegion(client: RegionClient, name: string): RegionClient {
  names.set(client, name)
  return client
}
