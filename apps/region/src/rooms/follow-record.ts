/**
 * Keeps a room's record in memory equal to the one on disk, even if an operator replaces the room's folder while the
 * region runs. Otherwise the room's state, lock and id would change at the next start.
 */
import { statSync } from 'node:fs'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { Region } from '#region.ts'
import { type RoomRecord, readRoomRecord, recordFile } from './room-record.ts'

/** For each record in memory, the version of the file from which it was read. */
const readFrom = new WeakMap<RoomRecord, string>()

/**
 * Called under the room's mutex, before any work on the room. A record that cannot be used makes the room a damaged
 * one, as it does at the start.
 */
export async function followRecord(region: Region, name: string): Promise<void> {
  const known = region.index.get(name)
  if (known === undefined) return
  const folder = region.folders.room(name)
  try {
    const file = versionOf(recordFile(folder))
    // The work that needs the room reports that it is missing.
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

/** A text that changes whenever the file changes; null: there is no file. */
function versionOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found === undefined ? null : `${found.dev}:${found.ino}:${found.mtimeNs}`
}

/** A failure to read says nothing about the record: the one in memory stays, and the next call tries again. */
function isFailureToRead(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === 'string'
}
