/** The steps that restore a backup into a room, and restore the old content when that fails. */
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
  run: keep,
  undo: nothing,
})

/** Again in each attempt: an attempt starts only after the one before was undone completely. */
async function keep(call: RoomCall): Promise<RegionFileMade> {
  const { room, region } = await targetOf(call)
  return runRegionJob(call, region, { type: 'backupRoom', room: room.name, roomId: room.id }, backUpJob)
}

/**
 * After the job of this name was stopped: restores the old content. Also in a retry, for which the earlier steps count
 * as undone: the region still has the backup of the old content.
 * @throws StepFailed when users may have worked in the room since
 */
export async function putBack(call: RoomCall, restoring: string): Promise<void> {
  const { room, region } = await targetOf(call)
  const mayHoldIt = await stopRegionJob(call, region, restoring)
  const kept =
    call.outputIfDone(backUpOldContent) ?? regionFile.safeParse(await resultOfJob(call, region, backUpJob)).data
  if (!mayHoldIt || kept === undefined) return call.log('nothing had been restored')
  await checkSuspended(call)
  const job = { type: 'restoreRoom', room: room.name, roomId: room.id, file: kept.file } as const
  await runRegionJob(call, region, job, `${restoring}-put-back`).catch((error: unknown) => {
    throw isGone(error) ? new TookEffect(oldIsGone) : error
  })
  await call.log('the room has its old content again')
}

const oldIsGone =
  'The region does not have what the project room held before (any more): the project room stays as it is there.'

/** Regions keep files only for a while. After that the room stays as the restore left it: whole, and suspended. */
function isGone(error: unknown): boolean {
  const isRegions = error instanceof RegionJobFailed || error instanceof RegionRefusal
  return isRegions && error.type === 'urn:roomkeeper-region:file-unknown'
}

/** Sends an upload to the region; a repeated call resumes it. */
export async function sendUpload(call: RoomCall, name: string): Promise<void> {
  const { region } = await targetOf(call)
  const upload = await findUpload(call.services.db, name)
  if (upload === null) throw new StepFailed('The uploaded file is gone: please upload it again.')
  await region.putFile(name, storedSource(call.services.files, upload), call.mark)
  await call.log(`${upload.fileName}: ${upload.size} bytes sent`)
}

/** Whether this or an earlier attempt has restored it already; users may have worked with it since. */
export async function isRestored(call: RoomCall, jobName: string): Promise<boolean> {
  const { region } = await targetOf(call)
  return (await resultOfJob(call, region, jobName)) !== null
}

/** Replaces the room's content by a file that the region has, or adds its databases to the room's. */
export async function restoreOnRegion(call: RoomCall, file: string, jobName: string): Promise<void> {
  const { room, region } = await targetOf(call)
  await runRegionJob(call, region, { type: 'restoreRoom', room: room.name, roomId: room.id, file }, jobName)
}

/** What the backup says about licences, expiry and contacts may be stale. */
export async function sendSettings(call: RoomCall): Promise<void> {
  const { room, region } = await targetOf(call)
  await region.changeRoom(room.name, { ...settingsOf(room), roomId: room.id }, call.mark)
  await call.log("licences, expiry and contacts are the console's")
}

export async function checkSuspended(call: RoomCall): Promise<void> {
  const { room, region } = await targetOf(call)
  const found = await region.room(room.name)
  if (found === null || found.roomId !== room.id) throw new StepFailed('The region does not have the project room.')
  if (found.state !== 'suspended') throw new StepFailed('The project room is not suspended on its region.')
}
