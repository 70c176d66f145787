import { glob, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunningRegion } from '@roomkeeper/dev-env'

/** Removes all locks from the disk of a region, and leaves it frozen: it must be killed. */
export async function forgetLocks({ child, dataDir }: Pick<RunningRegion, 'child' | 'dataDir'>): Promise<void> {
  child.kill('SIGSTOP')
  for await (const file of glob('**/room.json', { cwd: dataDir })) {
    const path = join(dataDir, file)
    const record = JSON.parse(await readFile(path, 'utf8'))
    if (record.lock === null) continue
    await writeFile(`${path}.unlocked`, JSON.stringify({ ...record, lock: null }))
    await rename(`${path}.unlocked`, path)
  }
}
