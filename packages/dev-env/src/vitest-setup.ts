/** Around a run of vitest: what its files share. */
import { execFileSync } from 'node:child_process'
import { keepForRun } from './keep-for-run.ts'
import { holdObjectStore, sharedStoreVariable } from './object-store/start-object-store.ts'
import { shareNetworks } from './share-networks.ts'

export default async function shareForRun(): Promise<() => Promise<void>> {
  process.env.SEED ??= numberOfCommits()
  const ends = [await keepForRun(sharedStoreVariable, holdObjectStore), await shareNetworks()]
  return async () => {
    for (const end of ends) await end()
  }
}

/** The seed of sampled.ts. */
function numberOfCommits(): string {
  return execFileSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' }).trim()
}
