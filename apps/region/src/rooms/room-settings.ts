/** A room's settings, licences and sub-licences in its system.db. */
import type { DatabaseSync } from 'node:sqlite'
import { type LicenceUse, type RoomSettings, roomSettings } from '@roomkeeper/region-protocol'

/** Writes the fields that are present. Call it inside a transaction. */
export function writeSettings(database: DatabaseSync, change: Partial<RoomSettings>): void {
  for (const name of ['subMiningType', 'expirationDate', 'contacts'] as const)
    if (change[name] !== undefined) writeSetting(database, name, change[name])
  if (change.licences !== undefined) {
    database.exec('DELETE FROM licences')
    const insert = database.prepare('INSERT INTO licences VALUES (?, ?, ?, ?)')
    for (const [position, each] of change.licences.entries())
      insert.run(position, each.licenseKey, each.licenseAmount, each.licenseType)
  }
  if (change.subLicences !== undefined) {
    database.exec('DELETE FROM sub_licences')
    const insert = database.prepare('INSERT INTO sub_licences VALUES (?, ?, ?, ?)')
    for (const [position, each] of change.subLicences.entries())
      insert.run(position, each.licenseKey, each.subLicenseAmount, each.productKey)
  }
}

export function readSettings(database: DatabaseSync): RoomSettings {
  const rows = database.prepare('SELECT name, value FROM settings').all() as { name: string; value: string }[]
  const settings = Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)]))
  return roomSettings.parse({
    ...settings,
    licences: database.prepare('SELECT * FROM licences ORDER BY position').all(),
    subLicences: database.prepare('SELECT * FROM sub_licences ORDER BY position').all(),
  })
}

/** The last day on which the room is valid; null: unlimited. */
export function readExpirationDate(database: DatabaseSync): string | null {
  const row = database.prepare("SELECT value FROM settings WHERE name = 'expirationDate'").get()
  return JSON.parse((row as { value: string }).value) as string | null
}

/** A room is valid until the end of its last day, in UTC. */
export function dayHasPassed(day: string | null, now = new Date()): boolean {
  return day !== null && now.toISOString().slice(0, 10) > day
}

export function readLicenceUse(database: DatabaseSync): LicenceUse[] {
  return database
    .prepare(
      `SELECT licenseKey, licenseAmount, licenseType,
         (SELECT count(*) FROM users WHERE users.licenseKey = licences.licenseKey) AS used
       FROM licences ORDER BY position`,
    )
    .all() as unknown as LicenceUse[]
}

function writeSetting(database: DatabaseSync, name: string, value: unknown): void {
  database
    .prepare('INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
    .run(name, JSON.stringify(value))
}
