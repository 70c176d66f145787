/** Around a run of vitest: what its files share. */
import { sharedStoreVariable, spawnObjectStore } from './object-store/start-object-store.ts'
import { shareNetworks } from './share-networks.ts'
import { serveResource } from './shared-resource.ts'

export default async function shareForRun(): Promise<() => Promise<void>> {
  const ends = [await serveResource(sharedStoreVariable, spawnObjectStore), await shareNetworks()]
  return async () => {
    for (const end of ends) await end()
  }
}
