/**
 * The steps that restore a backup into a room, and that restore the old content if this fails. A region may
 * lack the job that keeps what it replaces: there the old content is packed as a backup first, and restored like any
 * other (`backUpContent`, `putBackFromBackup`).
 */
import { because } from '@roomkeeper/contract'
import type { ObjectStoreLocation, RegionClient } from '@roomkeeper/region-protocol'
import { findRecordedBackup } from '#backups/index.ts'
import { StepFailed, TookEffect } from '#operations/index.ts'
import { resultOfJob, runRegionJob, stateOfJob, stopRegionJob } from '#regions/index.ts'
import { findUpload } from '#uploads/index.ts'
import { settingsOf } from '../stored-room.ts'
import { isFileUnknown, isOfRegion, type RegionFileMade, regionFile, storedSource } from './files-of-regions.ts'
import { type RoomCall, targetOf } from './room-call.ts'

const backUpJob = 'keep'
const replaceJob = 'replace'

/** Where the region finds the backup: among the files that were sent to it, or in an object store. */
export type BackupSource = { file: string } | { source: ObjectStoreLocation }

/** Replaces the room's content. The region keeps what it replaces, for `undoReplace`. */
export async function replaceContent(call: RoomCall, from: BackupSource, restoring: string): Promise<void> {
  const { room, region } = await targetOf(call)
  const own = { room: room.name, roomId: room.id }
  if (await usesReplaceJob(call, region)) {
    const job = { type: 'replaceRoom', ...own, keep: keptId(call.id, call.attempt), from } as const
    await runRegionJob(call, region, job, replaceJob)
    return removeSent(region, from, call)
  }
  await backUpContent(call)
  const job =
    'file' in from
      ? ({ type: 'restoreRoom', ...own, file: from.file } as const)
      : ({ type: 'restoreFromObjectStore', ...own, source: from.source } as const)
  await runRegionJob(call, region, job, restoring)
  await removeSent(region, from, call)
}

/** A retry sends it again. Where this fails, the region removes it two days after its last use. */
async function removeSent(region: RegionClient, from: BackupSource, { mark }: RoomCall): Promise<void> {
  if ('file' in from) await region.deleteFile(from.file, mark).catch(() => undefined)
}

/**
 * Whether the region keeps what it replaces. A step ends the way it began, also when the region is updated meanwhile: it
 * would keep what the step itself has restored.
 */
async function usesReplaceJob(call: RoomCall, region: RegionClient): Promise<boolean> {
  if ((await stateOfJob(call, region, backUpJob)) !== null) return false
  return (await region.offers('replaceRoom')) || (await stateOfJob(call, region, replaceJob)) !== null
}

/**
 * Stops the job that replaces the content, then puts back what the region kept. A retry that only puts back has started
 * no job itself, so the newest attempt that has tells what is to be put back.
 * @throws StepFailed if users may have worked in the room since; TookEffect if the region does not keep it any more
 */
export async function undoReplace(call: RoomCall, restoring: string): Promise<void> {
  const { region } = await targetOf(call)
  const mayBeReplaced = await stopRegionJob(call, region, replaceJob)
  for (let { attempt } = call; attempt > 0; attempt -= 1) {
    const earlier = { id: call.id, attempt }
    if ((await stateOfJob(earlier, region, replaceJob)) !== null) {
      if (mayBeReplaced) return putBackKept(call, attempt)
      break
    }
    if ((await stateOfJob(earlier, region, backUpJob)) === null) continue
    await stopRegionJob(call, region, restoring)
    // An attempt that started no restore has nothing to undo; earlier ones were fully undone before it began.
    const hasStarted = (await stateOfJob(earlier, region, restoring)) !== null
    if (hasStarted && !(await isPutBackSince(call, attempt, restoring))) return putBackFromBackup(call, restoring)
    break
  }
  await call.log([because('log-nothing-restored')])
}

/** An attempt that was fully undone, if only by a later one, needs nothing more, and the room may have changed since. */
async function isPutBackSince(call: RoomCall, first: number, restoring: string): Promise<boolean> {
  const { region } = await targetOf(call)
  for (let attempt = first; attempt < call.attempt; attempt += 1)
    if ((await stateOfJob({ id: call.id, attempt }, region, putBackJob(restoring))) === 'done') return true
  return false
}

async function putBackKept(call: RoomCall, attempt: number): Promise<void> {
  await checkSuspended(call)
  const { room, region } = await targetOf(call)
  const kept = keptId(call.id, attempt)
  const job = { type: 'putBackRoom', room: room.name, roomId: room.id, kept } as const
  const { replaced } = await runRegionJob(call, region, job, `${putBackJob(replaceJob)}-${attempt}`).catch(
    (error: unknown) => {
      throw isOfRegion(error, 'content-gone') ? new TookEffect(because('old-content-gone')) : error
    },
  )
  await call.log([because(replaced ? 'log-old-content' : 'log-nothing-restored')])
}

function keptId(operation: string, attempt: number): string {
  return `${operation}-${attempt}`
}

function putBackJob(restoring: string): string {
  return `${restoring}-put-back`
}

/** Runs anew in each attempt. That is safe, because an attempt starts only after the previous one was fully undone. */
async function backUpContent(call: RoomCall): Promise<RegionFileMade> {
  const { room, region } = await targetOf(call)
  return runRegionJob(call, region, { type: 'backupRoom', room: room.name, roomId: room.id }, backUpJob)
}

/**
 * Stops the restoring job, then restores the old content from its backup, which the region still has.
 * @throws StepFailed if users may have worked in the room since
 */
async function putBackFromBackup(call: RoomCall, restoring: string): Promise<void> {
  const { room, region } = await targetOf(call)
  const mayHoldIt = await stopRegionJob(call, region, restoring)
  const kept = regionFile.safeParse(await resultOfJob(call, region, backUpJob)).data
  if (!mayHoldIt || kept === undefined) return call.log([because('log-nothing-restored')])
  await checkSuspended(call)
  const job = { type: 'restoreRoom', room: room.name, roomId: room.id, file: kept.file } as const
  await runRegionJob(call, region, job, putBackJob(restoring)).catch((error: unknown) => {
    throw isFileUnknown(error) ? new TookEffect(because('old-content-gone')) : error
  })
  await call.log([because('log-old-content')])
}

/** Sends an upload to the region. A repeated call resumes the transfer. */
export async function sendUpload(call: RoomCall, name: string): Promise<void> {
  const { region } = await targetOf(call)
  const upload = await findUpload(call.services.db, name)
  if (upload === null) throw new StepFailed(because('upload-gone'))
  await region.putFile(name, storedSource(call.services.files, upload), call.mark)
  await call.log([because('log-file-sent', { file: upload.fileName, bytes: upload.size })])
}

/** Sends a backup of the backup store to the region. A repeated call resumes the transfer. */
export async function sendStored(call: RoomCall, backupId: string, file: string): Promise<void> {
  const { region } = await targetOf(call)
  const { db, files } = call.services
  const backup = await findRecordedBackup(db, backupId)
  if (backup === null) throw new StepFailed(because('backup-gone'))
  await region.putFile(file, storedSource(files, { ...backup, storeKey: backup.location }), call.mark)
  await call.log([because('log-bytes-sent', { bytes: backup.size })])
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
