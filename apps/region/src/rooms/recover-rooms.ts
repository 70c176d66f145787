/**
 * Brings the rooms folder to order after a crash and reads all records.
 *
 * A half-made room (.new-…) and a room that was being removed (.old-…) go. A restore that was being put in place
 * (.swap-<name>-…) is undone when the room's place is empty, and is complete when it is not.
 */
import { join } from 'node:path'
import { removeTree, syncToDisk } from '#disk/durable.ts'
import { mkdir, readdir, rename, stat } from '#disk/files.ts'
import type { RoomFolders } from './room-folders.ts'
import { type RoomRecord, readRoomRecord } from './room-record.ts'

export async function recoverRooms(folders: RoomFolders): Promise<RoomRecord[]> {
  await mkdir(folders.root, { recursive: true })
  const entries = await readdir(folders.root)
  for (const entry of entries.filter((each) => each.startsWith('.'))) {
    const path = join(folders.root, entry)
    if (entry.startsWith('.swap-')) await undoSwap(folders, path)
    await removeTree(path)
  }
  await syncToDisk(folders.root)
  return readRecords(folders)
}

async function undoSwap(folders: RoomFolders, path: string): Promise<void> {
  const old = join(path, 'old')
  if (!(await exists(old))) return
  const place = folders.room((await readRoomRecord(old)).name)
  if (await exists(place)) return
  await rename(old, place)
  await syncToDisk(folders.root)
}

async function readRecords(folders: RoomFolders): Promise<RoomRecord[]> {
  const records: RoomRecord[] = []
  const names = (await readdir(folders.root)).filter((name) => !name.startsWith('.'))
  const atOnce = 64
  for (let first = 0; first < names.length; first += atOnce)
    records.push(...(await Promise.all(names.slice(first, first + atOnce).map((name) => readOne(folders, name)))))
  return records
}

async function readOne(folders: RoomFolders, name: string): Promise<RoomRecord> {
  const record = await readRoomRecord(folders.room(name)).catch((error: unknown) => {
    throw new Error(`The folder rooms/${name} is not a room: ${error instanceof Error ? error.message : error}`)
  })
  if (record.name !== name) throw new Error(`The folder rooms/${name} holds the room ${record.name}.`)
  return record
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
