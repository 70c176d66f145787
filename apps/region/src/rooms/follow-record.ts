/**
 * Keeps the record in memory equal to the one on disk, also when somebody replaces a room's folder while the region
 * runs: otherwise the room's state, lock and id would change at the next start.
 */
import { statSync } from 'node:fs'
import { reportTrouble } from '#disk/report-trouble.ts'
import type { Region } from '#region.ts'
import { type RoomRecord, readRoomRecord, recordFile } from './room-record.ts'

/** From which version of which file a record in memory was read. */
const readFrom = new WeakMap<RoomRecord, string>()

/**
 * Under the room's mutex, before anything else. A record that cannot be used makes the room a damaged one, as at the
 * start.
 */
export async function followRecord(region: Region, name: string): Promise<void> {
  const known = region.index.get(name)
  if (known === undefined) return
  const folder = region.folders.room(name)
  try {
    const file = versionOf(recordFile(folder))
    // A missing room is reported by the work that needs it.
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

/** A failure to read says nothing about the record: the one in memory stays, and the next call reads again. */
function isFailureToRead(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === 'string'
}
