/** Describes a room for the protocol, from its record, its system.db and the sizes of its files. */
import { join } from 'node:path'
import type { RoomInfo } from '@roomkeeper/region-protocol'
import { readdir, readEntries, stat } from '#disk/files.ts'
import type { Region } from '#region.ts'
import { databasesIn } from './room-folders.ts'
import { lockInForce, type RoomRecord } from './room-record.ts'
import { readSettings } from './room-settings.ts'
import { schemaVersionOf } from './system-database.ts'

export async function describeRoom(region: Region, record: RoomRecord): Promise<RoomInfo> {
  const { folders } = region
  const [databases, size] = await Promise.all([
    listDatabases(region, record.name),
    sizeOfFolder(folders.room(record.name)),
  ])
  const system = region.handles.open(folders.systemDatabase(record.name))
  const lock = lockInForce(record)
  const settings = readSettings(system)
  return {
    name: record.name,
    roomId: record.roomId,
    product: record.product,
    edition: record.edition,
    state: record.state,
    locked: lock !== null,
    lock,
    size,
    schemaVersion: schemaVersionOf(system),
    expirationDate: settings.expirationDate,
    databases,
    settings,
  }
}

/** The names of a room's databases, sorted. */
export async function listDatabases(region: Region, room: string): Promise<string[]> {
  return databasesIn(await readdir(region.folders.databases(room)))
}

/** Bytes. SQLite's companion files do not count: they come and go even if nothing changes. */
async function sizeOfFolder(folder: string): Promise<number> {
  const entries = await readEntries(folder)
  const sizes = entries
    .filter(({ name }) => !name.startsWith('.') && !/-(wal|shm|journal)$/.test(name))
    .map(async (entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? sizeOfFolder(path) : (await stat(path)).size
    })
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
}
