/**
 * Starts operations. The record is created in the caller's transaction; once that commits, the operation is queued.
 */

import { createHash, randomUUID } from 'node:crypto'
import { fieldError, type OperationState, type Reasons } from '@roomkeeper/contract'
import { recordedFor } from '#changes/index.ts'
import { lockIdempotencyKeyUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import type { Caller } from '#platform/http/handler.ts'
import { pause } from '#platform/pause.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { isLongerAgo, steadyTime } from '#platform/steady-time.ts'
import { enqueue } from './engine/index.ts'
import type { Operation, StartParts } from './operation.ts'
import { traceparentOfStart } from './trace-operations.ts'

/**
 * @returns the operation's id
 * @throws Refusal `room-busy` when another operation runs for the room
 */
export async function startOperation<Input>(tx: Tx, kind: Operation<Input>, parts: StartParts<Input>): Promise<string> {
  const id = randomUUID()
  const roomName = parts.room?.name ?? parts.subject ?? ''
  const slotRegions = slotRegionsOf(kind, parts)
  const steps = kind.steps.map(({ id: stepId, title, process, region }) => ({
    stepId,
    title,
    ...(process !== undefined && { process, region: region?.(parts.input) ?? parts.regionId, room: roomName }),
  }))
  try {
    await queryRows(tx, insertOperation, [
      id,
      kind.kind,
      kind.version,
      kind.process,
      parts.room?.id ?? null,
      roomName,
      parts.regionId,
      JSON.stringify(parts.input),
      parts.startedBy,
      parts.requestId,
      parts.parentId ?? null,
      slotRegions.length > 0,
      traceparentOfStart(tx, kind.kind, parts),
      JSON.stringify(steps),
    ])
  } catch (error) {
    if (violatesUnique(error, 'operations_one_per_room')) throw refuse('room-busy', { room: roomName })
    throw error
  }
  const background = parts.background ?? false
  if (slotRegions.length > 0) await enqueue(tx, { operationId: id, background }, slotRegions)
  return id
}

const insertOperation = `
  with started as (
    insert into operations (id, kind, version, process_type, room_id, room_name, region_id, input, state, started_by,
                            request_id, parent_id, awaits_slots, traceparent)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', $9, $10, $11, $12, $13)
    returning id, room_name
  ), recorded as (
      ${recordedFor('operation.changed', 'started')}
  )
  insert into operation_steps (operation_id, position, step_id, name, state, process_type, region_id, room_name)
  select $1, n - 1, step->>'stepId', step->>'title', 'open', step->>'process', (step->>'region')::int, step->>'room'
    from jsonb_array_elements($14::jsonb) with ordinality as steps(step, n)`

/** Whether an operation of the room is open. The caller has locked the room, so that none starts meanwhile. */
export async function roomIsBusy(tx: Tx, roomId: string): Promise<boolean> {
  const open = `select from operations where room_id = $1 and state in ('waiting', 'running', 'cancelling')`
  return (await queryRows(tx, open, [roomId])).length > 0
}

/** The regions whose slots an operation needs. In the background it needs one even if its kind does not. */
export function slotRegionsOf<Input>(
  kind: Operation<Input>,
  { input, regionId, background = false }: Pick<StartParts<Input>, 'input' | 'regionId' | 'background'>,
): number[] {
  const second = kind.secondSlot?.(input)
  const needsSlot = kind.takesSlot || background
  return [...(needsSlot && regionId !== null ? [regionId] : []), ...(second === undefined ? [] : [second])]
}

/** Requests of one operator on one route with the same Idempotency-Key within 24 hours are the same request. */
export interface IdempotentRequest {
  caller: Caller
  route: string
  /** The Idempotency-Key header, if there is one. */
  key: string | undefined
  body: unknown
}

/**
 * Runs `start` in a transaction, unless the same request has started an operation, or added a note, before.
 * @returns the id of the new or the earlier operation or note
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
         set body_hash = excluded.body_hash, operation_id = excluded.operation_id, at = steady_now()`,
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
  await queryRows(db, `delete from idempotency_keys where at < ${steadyTime} - interval '24 hours'`)
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
      where operator_id = $1 and route = $2 and key = $3 and not ${isLongerAgo('at', '24 hours')}`,
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

export interface OperationResult {
  state: 'done' | 'failed' | 'cancelled'
  /** Why it failed; empty if it did not. */
  reasons: Reasons
}

const firstPauseMilliseconds = 25
const longestPauseMilliseconds = 250

/**
 * For requests that are answered with the result if the operation ends soon enough.
 * @returns how the operation ended, whichever process runs it; null: it has not ended after this many seconds
 */
export async function awaitOperation(db: Db, operationId: string, seconds: number): Promise<OperationResult | null> {
  const deadline = performance.now() + seconds * 1000
  for (let wait = firstPauseMilliseconds; ; wait = Math.min(wait * 1.5, longestPauseMilliseconds)) {
    const [row] = await queryRows<{ state: OperationState; errorReasons: Reasons | null }>(
      db,
      'select state, error_reasons from operations where id = $1',
      [operationId],
    )
    if (row !== undefined && hasEnded(row.state)) return { state: row.state, reasons: row.errorReasons ?? [] }
    if (performance.now() > deadline) return null
    await pause(wait)
  }
}

function hasEnded(state: OperationState): state is OperationResult['state'] {
  return state === 'done' || state === 'failed' || state === 'cancelled'
}
