/** The steps that restore a backup into a room, and that restore the old content if this fails. */
import { because } from '@roomkeeper/contract'
import { RegionJobFailed, RegionRefusal } from '@roomkeeper/region-protocol'
import { nothing, StepFailed, step, TookEffect } from '#operations/index.ts'
import { resultOfJob, runRegionJob, stopRegionJob } from '#regions/index.ts'
import { findUpload } from '#uploads/index.ts'
import { settingsOf } from '../stored-room.ts'
import { type RegionFileMade, regionFile, storedSource } from './files-of-regions.ts'
import { type RoomCall, targetOf } from './room-call.ts'

const backUpJob = 'keep'
export const backUpOldContent = step({
  id: 'keep-content',
  title: 'keep what the room holds',
  output: regionFile,
  run: backUpContent,
  undo: nothing,
})

/** Runs anew in each attempt. That is safe, because an attempt starts only after the previous one was fully undone. */
async function backUpContent(call: RoomCall): Promise<RegionFileMade> {
  const { room, region } = await targetOf(call)
  return runRegionJob(call, region, { type: 'backupRoom', room: room.name, roomId: room.id }, backUpJob)
}

/**
 * Stops the restoring job, then restores the old content. A retry counts the earlier steps as undone and has no output
 * of theirs, so it asks the region for the backup of the old content, which the region still has.
 * @throws StepFailed if users may have worked in the room since
 */
export async function putBack(call: RoomCall, restoring: string): Promise<void> {
  const { room, region } = await targetOf(call)
  const mayHoldIt = await stopRegionJob(call, region, restoring)
  const kept =
    call.outputIfDone(backUpOldContent) ?? regionFile.safeParse(await resultOfJob(call, region, backUpJob)).data
  if (!mayHoldIt || kept === undefined) return call.log([because('log-nothing-restored')])
  await checkSuspended(call)
  const job = { type: 'restoreRoom', room: room.name, roomId: room.id, file: kept.file } as const
  await runRegionJob(call, region, job, `${restoring}-put-back`).catch((error: unknown) => {
    throw isFileGone(error) ? new TookEffect(because('old-content-gone')) : error
  })
  await call.log([because('log-old-content')])
}

/** Regions keep files for a limited time. After that the room stays as the restore left it: complete and suspended. */
function isFileGone(error: unknown): boolean {
  const isRegions = error instanceof RegionJobFailed || error instanceof RegionRefusal
  return isRegions && error.type === 'urn:roomkeeper-region:file-unknown'
}

/** Sends an upload to the region. A repeated call resumes the transfer. */
export async function sendUpload(call: RoomCall, name: string): Promise<void> {
  const { region } = await targetOf(call)
  const upload = await findUpload(call.services.db, name)
  if (upload === null) throw new StepFailed(because('upload-gone'))
  await region.putFile(name, storedSource(call.services.files, upload), call.mark)
  await call.log([because('log-file-sent', { file: upload.fileName, bytes: upload.size })])
}

/** Whether this or an earlier attempt has already restored the content, so that users may have worked with it. */
export async function isRestored(call: RoomCall, jobName: string): Promise<boolean> {
  const { region } = await targetOf(call)
  return (await resultOfJob(call, region, jobName)) !== null
}

/** Replaces the room's content with a file that the region has, or adds the databases in the file to the room. */
export async function restoreOnRegion(call: RoomCall, file: string, jobName: string): Promise<void> {
  const { room, region } = await targetOf(call)
  await runRegionJob(call, region, { type: 'restoreRoom', room: room.name, roomId: room.id, file }, jobName)
}

/** The licences, expiry date and contacts in the backup may be outdated, so the console's replace them. */
export async function sendSettings(call: RoomCall): Promise<void> {
  const { room, region } = await targetOf(call)
  await region.changeRoom(room.name, { ...settingsOf(room), roomId: room.id }, call.mark)
  await call.log([because('log-console-decides')])
}

export async function checkSuspended(call: RoomCall): Promise<void> {
  const { room, region } = await targetOf(call)
  const found = await region.room(room.name)
  if (found === null || found.roomId !== room.id) throw new StepFailed(because('region-has-not-room'))
  if (found.state !== 'suspended') throw new StepFailed(because('not-suspended-on-region'))
}
