/** The protocol's call about a room's databases. */
import type { DatabaseInfo } from '@roomkeeper/region-protocol'
import { stat } from '#disk/files.ts'
import type { Handlers } from '#http/handlers.ts'
import type { Region } from '#region.ts'
import { findRoom } from '#rooms/find-room.ts'
import { listDatabases } from '#rooms/room-info.ts'
import { readTimes } from './documents-database.ts'

export function databaseHandlers(region: Region) {
  return {
    databases: ({ params: { name } }) =>
      region.roomMutex.runExclusive(name, async () => {
        findRoom(region, name)
        const answer: DatabaseInfo[] = []
        for (const database of await listDatabases(region, name)) answer.push(await describe(region, name, database))
        return answer
      }),
  } satisfies Partial<Handlers>
}

async function describe(region: Region, room: string, name: string): Promise<DatabaseInfo> {
  const path = region.folders.database(room, name)
  const { size, birthtime, mtime } = await stat(path)
  const backup = region.handles
    .open(region.folders.systemDatabase(room))
    .prepare('SELECT takenAt FROM backups WHERE database = ?')
    .get(name)
  const backupAt = backup === undefined ? null : String(backup.takenAt)
  const ofFile = { createdAt: birthtime.toISOString(), changedAt: mtime.toISOString() }
  return { name, size, ...(readTimes(region.handles.open(path)) ?? ofFile), backupAt }
}
