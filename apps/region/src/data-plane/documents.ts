/** JSON documents in the databases of a room. */
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { databaseName, roomName } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { holdsDocuments } from '#databases/documents-database.ts'
import { refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { inTransaction } from '#sqlite/database-handles.ts'

export const documentPlace = z
  .object({ name: roomName, database: databaseName, id: z.string().min(1).max(200) })
  .transform(({ name, database, id }) => ({ room: name, database, id }))
/** Where a document is. */
export type DocumentPlace = z.output<typeof documentPlace>

/** JSON text. @throws {Refusal} 'database-unknown', 'no-documents', 'document-unknown' */
export function readDocument(region: Region, place: DocumentPlace): string {
  const row = databaseOf(region, place).prepare('SELECT body FROM documents WHERE id = ?').get(place.id)
  if (row === undefined) throw refuse('document-unknown')
  return String(row.body)
}

/** On disk when it returns. @throws {Refusal} 'malformed', 'database-unknown', 'no-documents' */
export function writeDocument(region: Region, place: DocumentPlace, body: unknown): { id: string; changedAt: string } {
  const text = textOf(body)
  region.reserve.refuseGrowth()
  const database = databaseOf(region, place)
  const changedAt = new Date().toISOString()
  inTransaction(database, () => {
    database
      .prepare(
        `INSERT INTO documents (id, body, changedAt) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET body = excluded.body, changedAt = excluded.changedAt`,
      )
      .run(place.id, text, changedAt)
    noteChange(database, changedAt)
  })
  return { id: place.id, changedAt }
}

function textOf(body: unknown): string {
  if (body === undefined) throw refuse('malformed', { reason: 'Please send a JSON document.' })
  try {
    return JSON.stringify(body)
  } catch (error) {
    // It can be read however deep it is, but not written.
    if (error instanceof RangeError) throw refuse('malformed', { reason: 'The document is nested too deeply.' })
    throw error
  }
}

/** Idempotent. @throws {Refusal} 'database-unknown', 'no-documents' */
export function deleteDocument(region: Region, place: DocumentPlace): void {
  const database = databaseOf(region, place)
  inTransaction(database, () => {
    const { changes } = database.prepare('DELETE FROM documents WHERE id = ?').run(place.id)
    if (changes !== 0) noteChange(database, new Date().toISOString())
  })
}

function noteChange(database: DatabaseSync, changedAt: string): void {
  database.prepare("UPDATE about SET value = ? WHERE name = 'changedAt'").run(changedAt)
}

function databaseOf(region: Region, { room, database }: DocumentPlace): DatabaseSync {
  const path = region.folders.database(room, database)
  if (!existsSync(path)) throw refuse('database-unknown', { database })
  const handle = region.handles.open(path)
  if (!holdsDocuments(handle)) throw refuse('no-documents', { database })
  return handle
}
