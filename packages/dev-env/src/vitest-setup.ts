/** Around a run of vitest: what its files share. */
import { keepForRun } from './keep-for-run.ts'
import { holdObjectStore, sharedStoreVariable } from './object-store/start-object-store.ts'
import { shareNetworks } from './share-networks.ts'

export default async function shareForRun(): Promise<() => Promise<void>> {
  const ends = [await keepForRun(sharedStoreVariable, holdObjectStore), await shareNetworks()]
  return async () => {
    for (const end of ends) await end()
  }
}
