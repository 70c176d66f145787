/** Changes what a room of the reference region holds, behind its back. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { backupWith, filesOfZip, withPath } from '../hostile-file.ts'
import type { Behind } from './wrong-region.ts'

export function roomFolder({ region }: Behind, room: string): string {
  return join(region.dataDir, 'rooms', room)
}

/** Removes all rows of one of the room's databases, or of all. */
export function emptyDatabases(behind: Behind, room: string, only?: string): void {
  const folder = join(roomFolder(behind, room), 'databases')
  for (const file of readdirSync(folder))
    if (file.endsWith('.db') && (only === undefined || file === `${only}.db`)) emptyDatabase(join(folder, file))
}

function emptyDatabase(path: string): void {
  const database = new DatabaseSync(path, { timeout: 5000, defensive: false })
  try {
    const tables = database.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'").all()
    for (const { name } of tables)
      if (!/^sqlite_/i.test(String(name))) database.exec(`DELETE FROM "${String(name).replaceAll('"', '""')}"`)
  } finally {
    database.close()
  }
}

/** The backup with databases without rows. */
export async function emptiedBackup(zip: Buffer): Promise<Buffer> {
  const changed: Record<string, Buffer> = {}
  for (const [name, content] of await filesOfZip(zip))
    if (name.startsWith('databases/'))
      changed[name] = await withPath(async (path) => {
        await writeFile(path, content)
        emptyDatabase(path)
        return readFile(path)
      })
  return backupWith(zip, changed)
}

/** What a room holds, to be put back in parts. */
export interface OldContent {
  /** Gives the room these tables of its former system.db again. */
  putBackSystem(tables: string[]): void
  /** Gives the room its former databases again, beside those of now, whose names they do not take. */
  putBackDatabases(): void
  remove(): void
}

export function copyContent(behind: Behind, room: string): OldContent {
  const folder = mkdtempSync(join(tmpdir(), 'roomkeeper-wrong-'))
  const databases = readdirSync(join(roomFolder(behind, room), 'databases')).filter((file) => file.endsWith('.db'))
  for (const file of ['system.db', ...databases.map((name) => `databases/${name}`)])
    behind.change(room, file, `VACUUM INTO '${join(folder, file.replace('databases/', ''))}'`)
  return {
    putBackSystem(tables) {
      const copies = tables.map((table) => `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM former.${table};`)
      behind.change(
        room,
        'system.db',
        `ATTACH '${join(folder, 'system.db')}' AS former; BEGIN; ${copies.join('')} COMMIT; DETACH former`,
      )
    },
    putBackDatabases() {
      for (const name of databases) {
        const path = join(roomFolder(behind, room), 'databases', name)
        if (!existsSync(path)) copyFileSync(join(folder, name), path)
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export const systemContent = ['settings', 'licences', 'sub_licences', 'users']
