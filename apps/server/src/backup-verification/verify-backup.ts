/**
 * Restores a backup in a test. The region gets the file, or reads the object store itself, and restores it into a copy
 * without a name, which it removes again. What shows that the backup is bad is reported before the operation fails; a
 * failure for any other reason says nothing about the backup. Where only indexes are damaged, in the backup as in the
 * room itself, the backup can be restored: that is reported, too. However it ends, nothing of it stays on the region.
 */
import { because, type CodedReason, products } from '@roomkeeper/contract'
import { type RegionClient, RegionJobFailed, RegionRefusal, refusalTypePrefix } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { digestOfBackup, findRecordedBackup, type RoomBackupRow, recordRestored, sizeOfBackup } from '#backups/index.ts'
import { closeDamagedIndexes, closeFindingsOfBackup, reportBadBackup, reportDamagedIndexes } from '#doctor/index.ts'
import { noUndo, operation, type StepCall, StepFailed, step } from '#operations/index.ts'
import { databaseTimestamp } from '#platform/database-time.ts'
import { runRegionJob, stopRegionJob, tryOnRegion } from '#regions/index.ts'
import { filesOfTest, refuseWhilePurged, storedSource, unchangedRoom } from '#rooms/index.ts'

/**
 * The backup that is restored, as the operation keeps it. `product`: null if nothing else is left of the backup's room.
 * `roomId`: for the removal of what the test has left.
 */
const verifiedBackup = z.object({
  backupId: z.uuid(),
  roomId: z.uuid(),
  product: z.enum(products).nullable(),
})
export type VerifiedBackup = z.infer<typeof verifiedBackup>
type VerificationCall = StepCall<VerifiedBackup>

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

/** An unreachable region does not keep the operation waiting, because the region removes unused files by itself. */
async function onRegion(call: VerificationCall, work: (region: RegionClient) => Promise<void>): Promise<void> {
  const region = await regionOf(call)
  await tryOnRegion(call, () => work(region))
}

async function regionOf(call: VerificationCall): Promise<RegionClient> {
  return call.services.connectRegion(call.regionId ?? 0, call.signal)
}

async function backupOf({ services, input: { backupId } }: VerificationCall): Promise<RoomBackupRow> {
  const backup = await findRecordedBackup(services.db, backupId)
  if (backup === null) throw new StepFailed(because('backup-gone'))
  return backup
}

function fileOf(call: VerificationCall): string {
  return filesOfTest(call)[0]
}

/** @throws StepFailed if the file is missing, or is longer or shorter than the one that was made */
async function checkSize(call: VerificationCall, backup: RoomBackupRow): Promise<void> {
  const size = await sizeOfBackup(call.services, backup)
  // A file is removed just before its record. That it is missing all the same is for the doctor to find.
  if (size === null) throw new StepFailed(because('file-missing', { file: backup.location }))
  if (size !== backup.size) await report(call, backup, because('other-size', { found: size, made: backup.size }))
}

/** For what the region did not accept: the store may hold another content, or it was altered on its way. */
async function failIfAltered(call: VerificationCall, backup: RoomBackupRow, error: unknown): Promise<never> {
  const isOther = error instanceof RegionRefusal && error.type === `${refusalTypePrefix}digest-mismatch`
  if (!isOther) throw error
  const digest = await digestOfBackup(call.services, backup, call.signal)
  if (digest !== null && digest !== backup.sha256) await report(call, backup, because('other-digest'))
  throw error
}

/** Not among them: what takes too long or too much memory, and a backup of a later version than the region. */
const ofBadBackups: ReadonlySet<string> = new Set(
  ['damaged-file', 'wrong-content', 'product-differs', 'reading-fails'].map((type) => refusalTypePrefix + type),
)

async function failIfNotRestorable(call: VerificationCall, backup: RoomBackupRow, error: unknown): Promise<never> {
  if (error instanceof RegionJobFailed && ofBadBackups.has(error.type))
    await report(call, backup, because('not-restorable', { told: error.message }))
  throw error
}

/** To the doctor: with that the backup counts as bad at once, before the operation ends. */
async function report(call: VerificationCall, backup: RoomBackupRow, what: CodedReason): Promise<never> {
  await call.transaction((tx) => reportBadBackup(tx, call.id, aboutBackup(backup), what))
  throw new StepFailed(because('backup-not-whole', { reason: what }))
}

/** What a finding tells about the backup. */
function aboutBackup({ id, roomId, roomName: room, createdAt: at, location }: RoomBackupRow) {
  return { id, roomId, room, at, location }
}
