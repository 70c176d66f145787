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
  aside(kind: AsideKind, name: string): string
}

export type AsideKind = 'new' | 'old' | 'swap'

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

/** What an entry of the rooms folder is, by its name; null: a room, or not ours. */
export function asideOf(entry: string): { kind: AsideKind; name: string } | null {
  const [, kind, name] = /^\.(new|old|swap)-([a-z][a-z0-9]{2,23})-[0-9a-f-]{36}$/.exec(entry) ?? []
  return kind === undefined || name === undefined ? null : { kind: kind as AsideKind, name }
}

/** The names of the databases, sorted, whose files these are. */
export function databasesIn(files: readonly string[]): string[] {
  return files.flatMap((file) => (file.endsWith('.db') && !file.startsWith('.') ? file.slice(0, -3) : [])).sort()
}

export const workFolder = 'work'
export const systemDatabaseFile = 'system.db'
export const databasesFolder = 'databases'
