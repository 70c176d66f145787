/**
 * The advisory locks: for work that only one transaction, or one process, may do at a time. All numbers are listed
 * here, so that no two purposes share one, except those of recurring work: hashes of its names (work-locks.ts). A
 * number never changes, because versions of the program run side by side.
 * Triggers of the schema take two more: 7203413 to fold the sums of rooms, 7204014 to fold the counts of operation_items.
 */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { queryRows, type Tx } from './database.ts'
import { pause } from './pause.ts'

const numbers = {
  'schema changes': 7_203_411,
  'start of a server': 7_204_003,
  'settings of regions': 7_204_004,
  'capacity of regions': 7_204_005,
  'updates of system databases': 7_204_006,
  'configurations of live migrations': 7_204_007,
  'shared views': 7_204_008,
  'assets of the console': 7_204_009,
  'first use of the backup store': 7_204_010,
  'anchor of the audit trail in a folder': 7_204_011,
  'anchor of the audit trail in the backup store': 7_204_012,
  'merged customers': 7_204_015,
  webhooks: 7_204_033,
} as const
export type LockPurpose = keyof typeof numbers

/** Waits for the lock and holds it until the transaction ends. */
export async function lockUntilCommit(tx: Tx, purpose: LockPurpose): Promise<void> {
  await queryRows(tx, 'select pg_advisory_xact_lock($1)', [numbers[purpose]])
}

/** Does not wait. @returns true: the transaction holds the lock until it ends */
export async function tryLockUntilCommit(tx: Tx, purpose: LockPurpose): Promise<boolean> {
  const [row] = await queryRows<{ mine: boolean }>(tx, 'select pg_try_advisory_xact_lock($1) as mine', [
    numbers[purpose],
  ])
  return row?.mine === true
}

/** Waits for the lock on one SAP contract number, however it is written, and holds it until the transaction ends. */
export async function lockSapNumberUntilCommit(tx: Tx, sapNumber: string): Promise<void> {
  const lock = `select pg_advisory_xact_lock(hashtextextended('sap number ' || sap_number_key($1), 0))`
  await queryRows(tx, lock, [sapNumber])
}

/** Waits for the lock on one idempotency key, by its parts, and holds it until the transaction ends. */
export async function lockIdempotencyKeyUntilCommit(tx: Tx, key: readonly string[]): Promise<void> {
  const number = createHash('sha256').update(key.join('\n')).digest().readBigInt64BE(0).toString()
  await queryRows(tx, 'select pg_advisory_xact_lock($1::bigint)', [number])
}

/** Waits for the lock and runs `work`. The lock ends with the connection, even when this process dies. */
export async function whileLocked<T>(pool: pg.Pool, purpose: LockPurpose, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    while (!(await tryLock(client, numbers[purpose]))) await pause(100)
    return await work()
  } finally {
    // The connection is destroyed, not returned to the pool: this always frees the lock.
    client.release(true)
  }
}

/** For polling: a statement that waits inside PostgreSQL would block every `create index concurrently`. */
async function tryLock(client: pg.PoolClient, number: number): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [number])
  return rows[0]?.mine === true
}

/** Waits for the lock on the caller's connection, and holds it there until it is unlocked or the connection ends. */
export async function lockConnection(client: pg.PoolClient, purpose: LockPurpose): Promise<void> {
  while (!(await tryLock(client, numbers[purpose]))) await pause(100)
}

export async function unlockConnection(client: pg.PoolClient, purpose: LockPurpose): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [numbers[purpose]])
}
