/** Around a run of vitest: what its files share. */
import { spawnSync } from 'node:child_process'
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

/** The seed of sampled.ts; 0 in a copy without history. */
function numberOfCommits(): string {
  const { status, stdout } = spawnSync('git', ['rev-list', '--count', 'HEAD'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : '0'
}
