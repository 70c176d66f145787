/** Requests of one operator on one route with the same Idempotency-Key within 24 hours are the same request. */

import { createHash } from 'node:crypto'
import { fieldError } from '@roomkeeper/contract'
import { lockIdempotencyKeyUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'

export interface IdempotentRequest {
  caller: Caller
  route: string
  /** The Idempotency-Key header, if there is one. */
  key: string | undefined
  body: unknown
}

/**
 * Runs `start` in a transaction, unless the same request has started an operation before.
 * @returns the id of the new or the earlier operation
 * @throws Refusal `idempotency-mismatch` when the key was used with another body
 */
export function startOnce(
  database: Database,
  request: IdempotentRequest,
  start: (tx: Tx) => Promise<string>,
): Promise<string> {
  const keyParts = keyPartsOf(request)
  return database.transaction(async (tx) => {
    if (keyParts === null) return start(tx)
    // Of two simultaneous calls with one key, the second waits here and then finds the operation of the first.
    await lockIdempotencyKeyUntilCommit(tx, keyParts)
    const earlier = await findEarlier(tx, keyParts, request.body)
    if (earlier !== null) return earlier
    const operationId = await start(tx)
    await queryRows(
      tx,
      `insert into idempotency_keys (operator_id, route, key, body_hash, operation_id) values ($1, $2, $3, $4, $5)
       on conflict (operator_id, route, key) do update
         set body_hash = excluded.body_hash, operation_id = excluded.operation_id, at = now()`,
      [...keyParts, bodyHash(request.body), operationId],
    )
    return operationId
  })
}

/**
 * For requests that ask a region or a store before `startOnce`: a repeated request can skip that.
 * @returns the id of the operation that the same request has started; null: it has started none
 * @throws Refusal `idempotency-mismatch`
 */
export async function findStarted(db: Db, request: IdempotentRequest): Promise<string | null> {
  const keyParts = keyPartsOf(request)
  return keyParts === null ? null : findEarlier(db, keyParts, request.body)
}

export async function removeOldKeys(db: Db): Promise<void> {
  await queryRows(db, `delete from idempotency_keys where at < now() - interval '24 hours'`)
}

const longestKey = 128

/** null: the request has no key. @throws Refusal `invalid-input` */
function keyPartsOf({ caller, route, key }: IdempotentRequest): string[] | null {
  if (key === undefined) return null
  if (key.length > 0 && key.length <= longestKey) return [caller.operatorId, route, key]
  throw refuseInput([fieldError('Idempotency-Key', 'idempotency-key-length', { max: longestKey })])
}

async function findEarlier(tx: Db | Tx, keyParts: string[], body: unknown): Promise<string | null> {
  const [row] = await queryRows<{ bodyHash: Buffer; operationId: string }>(
    tx,
    `select body_hash, operation_id from idempotency_keys
      where operator_id = $1 and route = $2 and key = $3 and at > now() - interval '24 hours'`,
    keyParts,
  )
  if (row === undefined) return null
  if (!row.bodyHash.equals(bodyHash(body))) throw refuse('idempotency-mismatch')
  return row.operationId
}

/** Hashes the parsed body. The schema sets the order of its fields, which stays the same between releases. */
function bodyHash(body: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(body)).digest()
}
