/**
 * system.db of a room: settings, licences, users, their sessions, and when its databases were backed up.
 * `sessions` and `backups` belong to this copy of the room; all other tables are content and move with the room.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { RoomSettings } from '@roomkeeper/region-protocol'
import { localTables } from './local-tables.ts'
import { writeSettings } from './room-settings.ts'
import { writeContacts } from './users.ts'

/** The tables of a system.db of any version. */
export const systemTables: readonly string[] = [
  'schema_version',
  'settings',
  'licences',
  'sub_licences',
  'users',
  ...localTables,
]

/** Numbered from 1, forward only. */
const schemaChanges = [
  `
  CREATE TABLE schema_version (version INTEGER NOT NULL) STRICT;
  INSERT INTO schema_version VALUES (1);
  CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE licences (
    position INTEGER PRIMARY KEY, licenseKey TEXT NOT NULL, licenseAmount INTEGER NOT NULL, licenseType TEXT NOT NULL
  ) STRICT;
  CREATE TABLE sub_licences (
    position INTEGER PRIMARY KEY, licenseKey TEXT NOT NULL, subLicenseAmount INTEGER NOT NULL, productKey TEXT NOT NULL
  ) STRICT;
  CREATE TABLE users (
    id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE COLLATE NOCASE, role TEXT NOT NULL,
    licenseKey TEXT, createdAt TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY, userId TEXT NOT NULL REFERENCES users ON DELETE CASCADE, tokenHash TEXT NOT NULL,
    startedAt TEXT NOT NULL, lastActiveAt TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE backups (database TEXT PRIMARY KEY, takenAt TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE UNIQUE INDEX sessions_by_token ON sessions (tokenHash);
  CREATE INDEX sessions_by_user ON sessions (userId);
  `,
]
export const newestSchemaVersion = schemaChanges.length

/** Fills an empty system.db. Tests of the update pass an older version. */
export function fillSystemDatabase(
  database: DatabaseSync,
  settings: RoomSettings,
  version = newestSchemaVersion,
): void {
  changeSystemSchema(database, 0, version)
  writeSettings(database, settings)
  writeContacts(database, settings.contacts)
}

export function schemaVersionOf(database: DatabaseSync): number {
  return (database.prepare('SELECT version FROM schema_version').get() as { version: number }).version
}

/** Records when a database was last backed up. */
export function recordBackup(system: DatabaseSync, database: string, takenAt: string): void {
  system
    .prepare('INSERT INTO backups VALUES (?, ?) ON CONFLICT (database) DO UPDATE SET takenAt = excluded.takenAt')
    .run(database, takenAt)
}

/** Runs the schema changes after `from` up to `to`. Call it inside a transaction. */
export function changeSystemSchema(database: DatabaseSync, from: number, to = newestSchemaVersion): void {
  for (const change of schemaChanges.slice(from, to)) database.exec(change)
  database.prepare('UPDATE schema_version SET version = ?').run(to)
}
