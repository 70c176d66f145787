/**
 * What is on the disk is the room, also when somebody puts a folder in its place while the region runs: in which state
 * the room is, who holds it and which room it is do not change at the next start.
 */
import { statSync } from 'node:fs'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { Region } from '#region.ts'
import { type RoomRecord, readRoomRecord, recordFile } from './room-record.ts'

/** Of which file a record in memory is known to be. */
const readFrom = new WeakMap<RoomRecord, string>()

/** In the room's turn, before anything else. A record that cannot be used sets the room aside, as at the start. */
export async function followRecord(region: Region, name: string): Promise<void> {
  const known = region.index.get(name)
  if (known === undefined) return
  const folder = region.folders.room(name)
  try {
    const file = versionOf(recordFile(folder))
    // That nothing is there is told by what is wanted of it.
    if (file === null || readFrom.get(known) === file) return
    const record = await readRoomRecord(folder)
    if (record.name !== name) throw new Error(`its folder holds the room ${record.name}`)
    readFrom.set(record, file)
    region.index.put(record)
  } catch (error) {
    if (isFailureToRead(error)) return
    const reason = `its room.json cannot be read (${error instanceof Error ? error.message : String(error)})`
    reportTrouble(`The project room ${name} is set aside: ${reason}`)
    region.index.remove(name)
    region.damaged.set(name, reason)
  }
}

/** Changes with each change of the file; null: there is none. */
function versionOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? null : `${found.dev}:${found.ino}:${found.mtimeNs}`
}

/** It says nothing about the record: the one in memory goes on, and it is looked at again. */
function isFailureToRead(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === 'string'
}
