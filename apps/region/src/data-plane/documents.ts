/** JSON documents in the databases of a room. */
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { databaseName, roomName } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { holdsDocuments } from '#databases/documents-database.ts'
import { refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { inTransaction } from '#sqlite/database-handles.ts'

export const documentPath = z
  .object({ name: roomName, database: databaseName, id: z.string().min(1).max(200) })
  .transform(({ name, database, id }) => ({ room: name, database, id }))
export type DocumentPath = z.output<typeof documentPath>

/** JSON text. @throws {Refusal} 'database-unknown', 'no-documents', 'document-unknown' */
export function readDocument(region: Region, path: DocumentPath): string {
  const row = databaseOf(region, path).prepare('SELECT body FROM documents WHERE id = ?').get(path.id)
  if (row === undefined) throw refuse('document-unknown')
  return String(row.body)
}

/** On disk when it returns. @throws {Refusal} 'malformed', 'database-unknown', 'no-documents' */
export function writeDocument(region: Region, path: DocumentPath, body: unknown): { id: string; changedAt: string } {
  const text = textOf(body)
  region.reserve.refuseGrowth()
  const database = databaseOf(region, path)
  const changedAt = new Date().toISOString()
  inTransaction(database, () => {
    database
      .prepare(
        `INSERT INTO documents (id, body, changedAt) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET body = excluded.body, changedAt = excluded.changedAt`,
      )
      .run(path.id, text, changedAt)
    recordChange(database, changedAt)
  })
  return { id: path.id, changedAt }
}

function textOf(body: unknown): string {
  if (body === undefined) throw refuse('malformed', { reason: 'Please send a JSON document.' })
  try {
    return JSON.stringify(body)
  } catch (error) {
    // JSON.parse accepts any depth of nesting, JSON.stringify does not.
    if (error instanceof RangeError) throw refuse('malformed', { reason: 'The document is nested too deeply.' })
    throw error
  }
}

/** Idempotent. @throws {Refusal} 'database-unknown', 'no-documents' */
export function deleteDocument(region: Region, path: DocumentPath): void {
  const database = databaseOf(region, path)
  inTransaction(database, () => {
    const { changes } = database.prepare('DELETE FROM documents WHERE id = ?').run(path.id)
    if (changes !== 0) recordChange(database, new Date().toISOString())
  })
}

function recordChange(database: DatabaseSync, changedAt: string): void {
  database.prepare("UPDATE about SET value = ? WHERE name = 'changedAt'").run(changedAt)
}

function databaseOf(region: Region, { room, database }: DocumentPath): DatabaseSync {
  const path = region.folders.database(room, database)
  if (!existsSync(path)) throw refuse('database-unknown', { database })
  const handle = region.handles.open(path)
  if (!holdsDocuments(handle)) throw refuse('no-documents', { database })
  return handle
}
