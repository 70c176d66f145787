/**
 * Makes sure that a place is the store of this console. The store holds a mark: a small file with an id, which the
 * database knows since the first file was stored. Where the mark is missing (the disk is not mounted) or is another one
 * (a wrong setting), nothing is written or removed, and no file is said to be missing.
 */
import { randomUUID } from 'node:crypto'
import { because } from '@roomkeeper/contract'
import { whileLocked } from '../advisory-locks.ts'
import { type Database, type Db, queryRows, type Tx } from '../database.ts'
import { FileMissing, type FileStore, readSmallFile, writeSmallFile } from '../file-store.ts'
import { refuse } from '../refuse.ts'

export const markKey = 'roomkeeper-store-id'
/** An id is shorter. */
const markBytes = 100

/** Looks at the mark before and after each change: a disk may go away meanwhile. */
export function createMarkedStore(files: FileStore, database: Database): FileStore {
  const { db } = database
  /** @returns false: nothing was ever stored */
  const isChecked = async () => {
    const known = await knownStore(db)
    if (known?.isMarked !== true) return false
    requireMark(await readMark(files), known.id)
    return true
  }
  const check = async () => void (await isChecked())
  return {
    check,
    async put(key, content, options) {
      if (!(await isChecked())) await markAtFirstUse(files, database)
      const stored = await files.put(key, content, options)
      await check().catch(async (error: unknown) => {
        await files.remove(key).catch(() => undefined)
        throw error
      })
      return stored
    },
    async open(key, range) {
      return files.open(key, range).catch(async (error: unknown) => {
        if (error instanceof FileMissing) await check()
        throw error
      })
    },
    async stat(key) {
      const found = await files.stat(key)
      if (found === null) await check()
      return found
    },
    async remove(key) {
      await check()
      await files.remove(key)
      await check()
    },
    async *list(prefix) {
      await check()
      yield* files.list(prefix)
      await check()
    },
    async removeUnfinished(prefix, startedBefore) {
      await check()
      const removed = await files.removeUnfinished(prefix, startedBefore)
      await check()
      return removed
    },
  }
}

/**
 * Marks a place as the store from now on, with a new id: processes that still use the former place are refused there.
 * The new id is recorded before the mark is written, and becomes the store's after it, so that this can be repeated
 * wherever it was cut off.
 * @param lastLook runs in both transactions; if it throws, the former place stays the store
 */
export async function markAnew(
  files: FileStore,
  { db, transaction }: Database,
  lastLook: (tx: Tx) => Promise<void>,
): Promise<void> {
  const known = await knownStore(db)
  const found = await readMark(files)
  // A copy of the store has the mark of the store.
  if (found !== null && found !== known?.id && found !== known?.nextId)
    throw refuse('other-store', { reason: because('store-marked-by-another', { file: markKey }) })
  const next = randomUUID()
  await transaction(async (tx) => {
    await lastLook(tx)
    await queryRows(
      tx,
      `insert into backup_store (id, next_id, is_marked) values ($1, $1, false)
       on conflict (is_set) do update set next_id = excluded.next_id`,
      [next],
    )
  })
  await writeMark(files, next)
  await transaction(async (tx) => {
    await lastLook(tx)
    await queryRows(tx, 'update backup_store set id = next_id, next_id = null, is_marked = true where next_id = $1', [
      next,
    ])
  })
}

interface KnownStore {
  id: string
  /** Of the place that is about to become the store; null: none is. */
  nextId: string | null
  /** False while the store is being marked for the first time, or when a process died while it did. */
  isMarked: boolean
}

async function knownStore(db: Db): Promise<KnownStore | null> {
  const [row] = await queryRows<KnownStore>(db, 'select id, next_id, is_marked from backup_store')
  return row ?? null
}

async function recordStore(db: Db, { id, isMarked }: Pick<KnownStore, 'id' | 'isMarked'>): Promise<void> {
  await queryRows(
    db,
    `insert into backup_store (id, is_marked) values ($1, $2)
     on conflict (is_set) do update set id = excluded.id, is_marked = excluded.is_marked`,
    [id, isMarked],
  )
}

/**
 * The id is recorded before the mark is written and confirmed after it, so that a process that dies in between leaves
 * nothing that the next one takes for another's. Each try without a mark has an id of its own, so that of two places
 * only one becomes the store.
 */
async function markAtFirstUse(files: FileStore, { db, openPool }: Database): Promise<void> {
  const pool = openPool({ name: 'roomkeeper first use of the store', most: 1 })
  try {
    await whileLocked(pool, 'first use of the backup store', async () => {
      const known = await knownStore(db)
      const found = await readMark(files)
      if (known?.isMarked === true || found !== null) requireMark(found, known?.id)
      const id = found ?? randomUUID()
      if (found === null) {
        await recordStore(db, { id, isMarked: false })
        await writeMark(files, id)
      }
      await recordStore(db, { id, isMarked: true })
    })
  } finally {
    await pool.end()
  }
}

/** @returns null: there is no mark */
async function readMark(files: FileStore): Promise<string | null> {
  return (await readSmallFile(files, markKey, markBytes))?.trim() ?? null
}

function writeMark(files: FileStore, id: string): Promise<void> {
  return writeSmallFile(files, markKey, `${id}\n`)
}

function requireMark(found: string | null, known: string | undefined): void {
  if (found === known) return
  const reason = found === null ? 'store-not-marked' : 'store-of-another'
  throw refuse('other-store', { reason: because(reason, { file: markKey }) })
}
