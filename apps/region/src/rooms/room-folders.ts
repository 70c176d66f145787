/**
 * The folders of rooms on disk.
 * ```
 * rooms/<name>/room.json, system.db, databases/<name>.db     one folder per room
 * rooms/.new-…                                               a room that is being created; worthless after a crash
 * rooms/.old-…                                               a room that is being removed; worthless after a crash
 * rooms/.swap-<name>-…/old, new                              a restore that is replacing a room: see recover-rooms.ts
 * rooms/.kept-<name>-…/old, kept.json                        what a room held before: see kept-content.ts
 * work/<id>/                                                  temporary files of jobs; worthless after a crash
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
  /** A new folder for temporary files; removed at the next start. */
  work(): string
  /** A new path beside the rooms' folders. */
  sideFolder(kind: SideFolderKind, name: string): string
}

export type SideFolderKind = 'new' | 'old' | 'swap' | 'kept'

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
    sideFolder: (kind, name) => join(root, `.${kind}-${name}-${randomUUID()}`),
  }
}

/** The side folder that an entry of the rooms folder is, by its name; null: a room, or an unknown entry. */
export function sideFolderOf(entry: string): { kind: SideFolderKind; name: string } | null {
  const [, kind, name] = /^\.(new|old|swap|kept)-([a-z][a-z0-9]{2,23})-[0-9a-f-]{36}$/.exec(entry) ?? []
  return kind === undefined || name === undefined ? null : { kind: kind as SideFolderKind, name }
}

/** The names of the databases among these files, sorted. */
export function databasesIn(files: readonly string[]): string[] {
  return files.flatMap((file) => (file.endsWith('.db') && !file.startsWith('.') ? file.slice(0, -3) : [])).sort()
}

export const workFolder = 'work'
export const systemDatabaseFile = 'system.db'
export const databasesFolder = 'databases'
