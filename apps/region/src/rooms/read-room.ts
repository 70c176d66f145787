/** Reads a room's record where its folder lies. */
import { temporaryPathOf } from '#disk/durable.ts'
import { unlink } from '#disk/files.ts'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { RoomFolders } from './room-folders.ts'
import { type RoomRecord, readRoomRecord, recordFile } from './room-record.ts'

/** @throws an error that says what is wrong with the room */
export async function readRoom(folders: RoomFolders, name: string): Promise<RoomRecord> {
  const folder = folders.room(name)
  const record = await readRoomRecord(folder).catch((error: unknown) => {
    throw new Error(`its room.json cannot be read (${textOf(error)})`)
  })
  if (record.name !== name) throw new Error(`its folder holds the room ${record.name}`)
  await removeDraftIn(folder)
  return record
}

/** What a death while the room's record was replaced may have left. */
export async function removeDraftIn(folder: string): Promise<void> {
  await unlink(temporaryPathOf(recordFile(folder))).catch((error: unknown) =>
    reportTrouble('A temporary file stays behind', error),
  )
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
