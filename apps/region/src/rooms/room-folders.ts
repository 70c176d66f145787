/**
 * Where rooms are on disk.
 * ```
 * rooms/<name>/room.json, system.db, databases/<name>.db     one folder per room
 * rooms/.new-…                                               a room being created; worthless after a crash
 * rooms/.old-…                                               a room being removed; worthless after a crash
 * rooms/.swap-<name>-…/old, new                              a restore being put in place: see recover-rooms.ts
 * work/<id>/                                                  drafts of jobs; worthless after a crash
 * ```
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

export interface RoomFolders {
  root: string
  room(name: string): string
  systemDatabase(name: string): string
  database(name: string, database: string): string
  databases(name: string): string
  /** A new name for a folder of drafts; they go at the next start. */
  work(): string
  /** A new name beside the rooms. */
  aside(kind: 'new' | 'old' | 'swap', name: string): string
}

export function createRoomFolders(dataDir: string): RoomFolders {
  const root = join(dataDir, 'rooms')
  const room = (name: string) => join(root, name)
  return {
    root,
    room,
    systemDatabase: (name) => join(room(name), systemDatabaseFile),
    databases: (name) => join(room(name), databasesFolder),
    database: (name, database) => join(room(name), databasesFolder, `${database}.db`),
    work: () => join(dataDir, workFolder, randomUUID()),
    aside: (kind, name) => join(root, `.${kind}-${name}-${randomUUID()}`),
  }
}

export const workFolder = 'work'
export const systemDatabaseFile = 'system.db'
export const databasesFolder = 'databases'
