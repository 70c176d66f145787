/** Copies and checks of whole database files. */
import { backup, DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { seen } from '#disk/files.ts'
import { refuse } from '#refusals.ts'
import { openDatabase } from './database-handles.ts'

const pagesAtOnce = 2000

/**
 * Copies what the source's open transaction sees, while others go on writing.
 * @param clean removes what does not belong into the copy.
 */
export async function copyDatabase(
  source: DatabaseSync,
  to: string,
  signal: AbortSignal,
  clean: (copy: DatabaseSync) => void = () => {},
): Promise<void> {
  signal.throwIfAborted()
  const options = { rate: pagesAtOnce, progress: () => signal.throwIfAborted() }
  await seen('sqlite-copy', to, () => backup(source, to, options))
  const copy = new DatabaseSync(to)
  try {
    // One file without a companion: it is opened with WAL again where it is used.
    copy.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA secure_delete = ON')
    clean(copy)
  } finally {
    copy.close()
  }
}

/** Folds what SQLite keeps beside the file into it, so that the file alone is the database. */
export function settleDatabase(path: string): void {
  const database = openDatabase(path)
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}

export interface DatabaseCheck {
  /** Tables that it must have. */
  tables?: readonly string[]
  /** Also compares every index with its table, for files that we did not write. */
  thorough?: boolean
}

/**
 * Checks that a file that nobody has open is a whole SQLite database; in a thread of its own, because it may take long.
 * @throws {Refusal} 'wrong-content'
 */
export async function checkDatabase(path: string, check: DatabaseCheck, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { tables = [], thorough = false } = check
  const worker = idleWorkers.pop() ?? startWorker()
  const stop = () => void worker.terminate()
  signal.addEventListener('abort', stop)
  try {
    const fault = await askWorker(worker, { path, tables, thorough }, signal)
    if (!signal.aborted) keepIdle(worker)
    if (fault !== null) throw refuse('wrong-content', { reason: fault })
  } finally {
    signal.removeEventListener('abort', stop)
    if (!idleWorkers.includes(worker)) await worker.terminate()
  }
}

function askWorker(worker: Worker, wish: object, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(signal.reason ?? new Error('The check of a database ended early.'))
    worker.once('error', reject)
    worker.once('exit', ended)
    worker.once('message', (fault: string | null) => {
      worker.off('error', reject)
      worker.off('exit', ended)
      resolve(fault)
    })
    worker.ref()
    worker.postMessage(wish)
  })
}

/** Starting a thread takes longer than checking a small database; idle ones hold no process up. */
const idleWorkers: Worker[] = []
const idleAtMost = 2

function startWorker(): Worker {
  const worker = new Worker(new URL('./check-database-worker.ts', import.meta.url))
  // One that dies while nobody waits for it is only not used any more.
  worker.on('error', () => undefined)
  worker.once('exit', () => {
    const place = idleWorkers.indexOf(worker)
    if (place !== -1) idleWorkers.splice(place, 1)
  })
  return worker
}

function keepIdle(worker: Worker): void {
  if (idleWorkers.length >= idleAtMost) return
  worker.unref()
  idleWorkers.push(worker)
}
