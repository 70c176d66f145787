/**
 * Restores a backup in a test. The region gets the file, or reads the object store itself, and restores it into a copy
 * without a name, which it removes again. What shows that the backup is bad is reported before the operation fails; a
 * failure for any other reason says nothing about the backup. Where only indexes are damaged, in the backup as in the
 * room itself, the backup can be restored: that is reported, too. However it ends, nothing of it stays on the region.
 */
import { because } from '@roomkeeper/contract'
import type { RegionClient } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { type RoomBackupRow, recordRestored } from '#backups/index.ts'
import { closeDamagedIndexes, closeFindingsOfBackup, reportDamagedIndexes } from '#doctor/index.ts'
import { noUndo, operation, StepFailed, step } from '#operations/index.ts'
import { databaseTimestamp } from '#platform/database-time.ts'
import { runRegionJob, stopRegionJob, tryOnRegion } from '#regions/index.ts'
import { filesOfTest, storedSource, unchangedRoom } from '#rooms/index.ts'
import { aboutBackup, checkSize, failIfAltered, failIfNotRestorable } from './bad-backup.ts'
import { refuseWhilePurged } from './refuse-while-purged.ts'
import { type VerificationCall, type VerifiedBackup, verifiedBackup } from './verified-backup.ts'

const jobName = 'verify'
/** `rebuilt`: the databases with damaged indexes. */
const verified = z.object({ verifiedAt: z.string(), rebuilt: z.array(z.string()) })

const restoreInTest = step<VerifiedBackup, z.infer<typeof verified>>({
  id: 'verify-backup',
  title: 'restore the backup in a test',
  output: verified,
  run: restore,
  undo: (call) => onRegion(call, async (region) => void (await stopRegionJob(call, region, jobName))),
})

export const verifyBackup = operation<VerifiedBackup>({
  kind: 'backup.verify',
  version: 1,
  process: null,
  input: verifiedBackup,
  takesSlot: true,
  whenFailed: 'undo',
  managedBy: 'admin',
  steps: [
    { id: 'send-backup', title: 'send the backup to the region', run: send, undo: removeSent },
    restoreInTest,
    {
      id: 'remove-sent-backup',
      title: 'remove the backup from the region',
      run: removeSent,
      undo: noUndo,
    },
    { id: 'record-verification', title: 'record that the backup was restored', run: record, undo: noUndo },
  ],
  ...unchangedRoom,
  async retrying(tx, operation) {
    await refuseWhilePurged(tx, operation.input.roomId, operation.roomName)
    await unchangedRoom.retrying(tx, operation)
  },
})

async function send(call: VerificationCall): Promise<void> {
  const backup = await backupOf(call)
  await checkSize(call, backup)
  const { location, size } = backup
  if (backup.kind === 'd2o') return call.log([because('log-region-reads', { location })])
  const source = storedSource(call.services.files, { ...backup, storeKey: location })
  const region = await regionOf(call)
  await region.putFile(fileOf(call), source, call.mark).catch((error: unknown) => failIfAltered(call, backup, error))
  await call.log([because('log-bytes-sent', { bytes: size })])
}

async function restore(call: VerificationCall): Promise<z.infer<typeof verified>> {
  const backup = await backupOf(call)
  const { product, roomId } = call.input
  const from =
    backup.kind === 'classic'
      ? { file: fileOf(call) }
      : { source: call.services.objectStore.locationOfUri(backup.location) }
  const job = { type: 'verifyBackup', room: backup.roomName, roomId, product: product ?? undefined, from } as const
  const region = await regionOf(call)
  // Asked anew, because a region may have been updated since this process signed in.
  const { capabilities } = await region.status()
  if (!capabilities.includes('verifyBackup')) throw new StepFailed(because('region-cannot-verify'))
  const found = await runRegionJob(call, region, job, jobName).catch((error: unknown) =>
    failIfNotRestorable(call, backup, error),
  )
  const { files, bytes, digest, rebuilt = [] } = found
  await call.log([because('log-restored-in-test', { files, bytes, digest })])
  if (rebuilt.length > 0) await call.log([because('log-indexes-damaged', { databases: rebuilt.join(', ') })], 'warning')
  return { verifiedAt: await databaseTimestamp(call.services.db), rebuilt }
}

async function record(call: VerificationCall): Promise<void> {
  const { backupId } = call.input
  const { verifiedAt, rebuilt } = call.output(restoreInTest)
  const backup = aboutBackup(await backupOf(call))
  await call.finish(async (tx) => {
    if (!(await recordRestored(tx, backupId, verifiedAt))) throw new StepFailed(because('backup-gone'))
    await closeFindingsOfBackup(tx, backupId)
    if (rebuilt.length > 0) await reportDamagedIndexes(tx, call.id, backup, rebuilt)
    else await closeDamagedIndexes(tx, backupId)
  })
}

function removeSent(call: VerificationCall): Promise<void> {
  return onRegion(call, async (region) => {
    for (const file of filesOfTest(call)) await region.deleteFile(file, call.mark)
  })
}

/** A region that is away does not keep the operation waiting: it removes a file that nobody uses by itself. */
async function onRegion(call: VerificationCall, work: (region: RegionClient) => Promise<void>): Promise<void> {
  const region = await regionOf(call)
  await tryOnRegion(call, () => work(region))
}

async function regionOf(call: VerificationCall): Promise<RegionClient> {
  return call.services.connectRegion(call.regionId ?? 0, call.signal)
}

async function backupOf({ services, input: { backupId } }: VerificationCall): Promise<RoomBackupRow> {
  const backup = await services.db.selectFrom('roomBackups').selectAll().where('id', '=', backupId).executeTakeFirst()
  if (backup === undefined) throw new StepFailed(because('backup-gone'))
  return backup
}

function fileOf(call: VerificationCall): string {
  return filesOfTest(call)[0]
}
