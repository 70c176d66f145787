/**
 * Checks the files of backups. Every run checks that each file exists and has its size. Each run also reads some of the
 * files, the least recently read first, and checks that their content is what was written.
 */
import { because, type CodedReason } from '@roomkeeper/contract'
import { type BackupFile, digestOfBackup, sizeOfBackup, whileReading } from '#backups/index.ts'
import { type Db, queryRows } from '#platform/database.ts'
import { databaseTimestamp } from '#platform/database-time.ts'
import { mapConcurrently } from '#platform/map-concurrently.ts'
import { pause } from '#platform/pause.ts'
import { Refusal } from '#platform/refuse.ts'
import { bytesOfBackupsPerRun, type DoctorParts } from '../doctor-parts.ts'
import type { NewFinding } from '../finding.ts'
import { recordFinding } from '../record-findings.ts'

export interface BackupRow extends BackupFile {
  id: string
  of: 'room' | 'database'
  room: string
  roomId: string
  at: string
  size: number
  sha256: string
}

/** What a finding tells about a backup. */
export type AboutBackup = Pick<BackupRow, 'id' | 'room' | 'roomId' | 'at' | 'location'>

const pageOfBackups = 500
const atOnce = 4

export async function checkBackups(parts: DoctorParts, runId: string): Promise<void> {
  try {
    await parts.stores.files.check()
    await checkSizes(parts, runId)
    await checkDigests(parts, runId)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reasons = { reason: error.reason }
    await recordFinding(parts.db, runId, { kind: 'store-unreachable', section: 'backups', facts: {}, reasons })
    throw new StoreUnreachable()
  }
}

/** The store is unreachable, so nothing is known about its files. */
export class StoreUnreachable extends Error {
  override readonly name = 'StoreUnreachable'
}

async function checkSizes(parts: DoctorParts, runId: string): Promise<void> {
  for (let after = firstId; ; ) {
    parts.signal.throwIfAborted()
    const page = await backupsOf(parts.db, { where: 'b.id > $1', most: pageOfBackups }, [after])
    await mapConcurrently(page, atOnce, async (backup) => {
      const found = await findingOfSize(parts, backup)
      if (found !== null) await recordFinding(parts.db, runId, found)
    })
    if (page.length < pageOfBackups) return
    after = page.at(-1)?.id ?? after
  }
}

const firstId = '00000000-0000-0000-0000-000000000000'
const rechecks = 3
const pauseMilliseconds = 300

/** A file is removed just before its record, so a missing file counts only if its record remains. */
export async function findingOfSize(parts: DoctorParts, backup: BackupRow): Promise<NewFinding | null> {
  for (let count = 0; ; count += 1) {
    const size = await sizeOf(parts, backup)
    if (size === 'not ours' || size === backup.size) return null
    if (!(await isStillRecorded(parts.db, backup))) return null
    if (count === rechecks)
      return findingOf(backup, size === null ? null : because('other-size', { found: size, made: backup.size }))
    await pause(pauseMilliseconds, parts.signal)
  }
}

/** @returns 'not ours' for a bucket without known keys, which cannot be checked */
async function sizeOf({ stores }: DoctorParts, backup: BackupRow): Promise<number | null | 'not ours'> {
  try {
    return await sizeOfBackup(stores, backup)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'object-store-not-set') return 'not ours'
    // An invalid location has no file.
    if (error instanceof Refusal && error.code === 'invalid-input') return null
    throw error
  }
}

async function isStillRecorded(db: Db, { id }: BackupRow): Promise<boolean> {
  return (await backupsOf(db, { where: 'b.id = $1', most: 1 }, [id])).length > 0
}

/** Reads files with an open finding first, so that a repaired one is noticed soon. */
async function checkDigests(parts: DoctorParts, runId: string): Promise<void> {
  const { db, signal } = parts
  const began = await databaseTimestamp(db)
  for (let read = 0; read < bytesOfBackupsPerRun; ) {
    const next = await nextToRead(db, began)
    if (next.length === 0) return
    for (const backup of next) {
      signal.throwIfAborted()
      if (read > 0 && read + backup.size > bytesOfBackupsPerRun) return
      // A file that is missing or has another size is already a finding or is being removed.
      const found = (await sizeOf(parts, backup)) === backup.size ? await readContent(parts, backup) : 'nothing'
      // Recorded before the file counts as checked, so that an interrupted run checks it again.
      if (found === 'altered') await recordFinding(db, runId, findingOf(backup, because('other-digest')))
      await markChecked(db, backup, found === 'whole')
      read += backup.size
    }
  }
}

const unread = '(b.checked_at is null or b.checked_at < $1)'
// The cast is guarded by the kind, because subjects of other findings are not UUIDs.
const isSuspect = `b.id in (select case when f.kind = 'backup-altered' then f.subject::uuid end from doctor_findings f
                             where f.kind = 'backup-altered' and f.closed_at is null)`

async function nextToRead(db: Db, began: string): Promise<BackupRow[]> {
  const suspects = await backupsOf(db, { where: `${unread} and ${isSuspect}`, most: pageOfBackups }, [began])
  if (suspects.length > 0) return suspects
  return backupsOf(db, { where: unread, order: 'b.checked_at nulls first, b.id', most: pageOfBackups }, [began])
}

async function readContent(
  { db, stores, signal }: DoctorParts,
  backup: BackupRow,
): Promise<'whole' | 'altered' | 'nothing'> {
  try {
    const read = () => digestOfBackup(stores, backup, signal)
    const digest = await whileReading(db, backup.id, { kind: 'check', by: 'system' }, read)
    if (digest === null) return 'nothing'
    return digest === backup.sha256 ? 'whole' : 'altered'
  } catch (error) {
    // It is being removed.
    if (error instanceof Refusal && error.code === 'backup-unknown') return 'nothing'
    // A file that cannot be read in time must not block the others in the next run. The failure proves nothing.
    if (error instanceof Refusal) await markChecked(db, backup, false)
    throw error
  }
}

/** @param isWhole a database backup replaces earlier ones only if this is true */
async function markChecked(db: Db, { id, of }: BackupRow, isWhole: boolean): Promise<void> {
  if (of === 'room') await queryRows(db, 'update room_backups set checked_at = now() where id = $1', [id])
  else
    await queryRows(
      db,
      'update database_backups set checked_at = now(), proved_at = case when $2 then now() end where id = $1',
      [id, isWhole],
    )
}

export function findingOf(backup: AboutBackup, what: CodedReason | null): NewFinding {
  const { id, room, roomId, at, location } = backup
  const about = { section: 'backups', subject: id, room: { id: roomId, name: room } } as const
  const facts = { room, at, location }
  return what === null
    ? { ...about, kind: 'backup-missing', facts }
    : { ...about, kind: 'backup-altered', facts, reasons: { what } }
}

interface WantedBackups {
  /** SQL conditions on `b`. */
  where: string
  order?: string
  most: number
}

/**
 * Leaves out backups that are about to be removed. Each table is read in the order of an index, so that a page costs
 * the same among a million backups as among ten.
 */
export function backupsOf(
  db: Db,
  { where, order = 'b.id', most }: WantedBackups,
  values: readonly unknown[],
): Promise<BackupRow[]> {
  const rest = `where (b.expires_at is null or b.expires_at > now() + interval '1 hour') and ${where}
    order by ${order} limit ${most}`
  return queryRows<BackupRow>(
    db,
    `select b.* from (
       (select b.id, 'room' as of, b.kind, b.location, b.room_name as room, b.room_id, b.created_at as at,
               b.size, b.sha256, b.checked_at
          from room_backups b ${rest})
       union all
       (select b.id, 'database', 'classic', b.store_key, coalesce(r.name, b.room_id::text), b.room_id, b.created_at,
               b.size, b.sha256, b.checked_at
          from database_backups b left join rooms r on r.id = b.room_id ${rest})
     ) b order by ${order} limit ${most}`,
    values,
  )
}
