/** The steps that copy a file made by a region's job into the backup store and read it back. */
import { because } from '@roomkeeper/contract'
import { z } from 'zod'
import { noUndo, StepFailed, type StepRef, step } from '#operations/index.ts'
import { databaseTimestamp } from '#platform/database-time.ts'
import type { BackupKeys } from './backup-keys.ts'
import { fetchFromRegion, type RegionFileMade, regionFile, sha256Of } from './files-of-regions.ts'
import { type RoomCall, targetOf } from './room-call.ts'
import type { MadeBackup } from './store-while-packed.ts'

const storeBackup = { id: 'store-backup', title: 'bring the backup into the store', output: regionFile }
const readBackupBack = {
  id: 'read-backup-back',
  title: 'read the backup back',
  output: z.object({ readBackAt: z.string() }),
}

export function fetchIntoStore<Input>(makeBackup: StepRef<RegionFileMade>, keysOf: BackupKeys<Input>) {
  return step<Input, RegionFileMade>({
    ...storeBackup,
    async run(call: RoomCall<Input>): Promise<RegionFileMade> {
      const { region } = await targetOf(call)
      const made = call.output(makeBackup)
      await fetchFromRegion(call, region, made, keysOf(call)[0])
      await call.log([because('log-digest', { bytes: made.size, digest: made.sha256 })])
      return made
    },
    undo: (call: RoomCall<Input>) => removeStored(call, keysOf),
  })
}

/** Of this attempt and all earlier ones. */
export async function removeStored<Input>(call: RoomCall<Input>, keysOf: BackupKeys<Input>): Promise<void> {
  for (const key of keysOf(call)) await call.services.files.remove(key)
}

/** For a backup that may have been stored while the region packed it. */
export function fetchUnlessStored<Input>(makeBackup: StepRef<MadeBackup>, keysOf: BackupKeys<Input>) {
  const fetching = fetchIntoStore<Input>(makeBackup, keysOf)
  return step<Input, RegionFileMade>({
    ...fetching,
    async run(call: RoomCall<Input>): Promise<RegionFileMade> {
      const { isStored, ...made } = call.output(makeBackup)
      if (!isStored) return fetching.run(call)
      await call.log([because('log-digest', { bytes: made.size, digest: made.sha256 })])
      return made
    },
  })
}

export function readBackStepOf<Input>(keysOf: BackupKeys<Input>) {
  const run = (call: RoomCall<Input>) => readBack(call, keysOf(call)[0])
  return step<Input, { readBackAt: string }>({ ...readBackupBack, run, undo: noUndo })
}

/** Verifies the bytes that the store returns, not the bytes that were sent to it. */
export async function readBack(call: RoomCall, key: string): Promise<{ readBackAt: string }> {
  const made = fetchedFile(call)
  const stored = await sha256Of(call, await call.services.files.open(key), made.size)
  if (stored !== made.sha256) throw new StepFailed(because('stored-backup-differs'))
  await call.log([because('log-backup-whole')])
  await removeFromRegion(call, made)
  return { readBackAt: await databaseTimestamp(call.services.db) }
}

/** Otherwise the region's disk would hold the backups of two days. Where this fails, the region removes it after them. */
async function removeFromRegion(call: RoomCall, { file }: RegionFileMade): Promise<void> {
  const { region } = await targetOf(call)
  await region.deleteFile(file, call.mark).catch(() => undefined)
}

export function fetchedFile(call: RoomCall): RegionFileMade {
  return call.output(storeBackup)
}

export function readBackAt(call: RoomCall): string {
  return call.output(readBackupBack).readBackAt
}
