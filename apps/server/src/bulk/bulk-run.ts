/**
 * The operation of a bulk: begins an operation for each of its rooms, as the regions have slots for work in the
 * background, and waits for them. If some fail, so does the bulk, and a retry takes only those up again.
 */
import { because } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import {
  countItems,
  type ItemCounts,
  type OperationRecord,
  openChildren,
  operation,
  runItems,
  StepFailed,
} from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { pause } from '#platform/pause.ts'
import { refuse } from '#platform/refuse.ts'
import { watchSilentRegions } from '#regions/index.ts'
import { beginRoom } from './begin-room.ts'
import { type BulkCall, type BulkInput, bulkInput } from './bulk-call.ts'
import { settleRooms } from './settle-rooms.ts'
import { isSilent, silentRegions } from './silent-regions.ts'

export const bulkRun = operation<BulkInput>({
  kind: 'bulk.run',
  version: 1,
  process: null,
  input: bulkInput,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    {
      id: 'work-through-rooms',
      title: 'work through the project rooms',
      run: workThroughRooms,
      undo: letThoseUnderWayEnd,
      retry: { minutes: Number.POSITIVE_INFINITY, longestPauseSeconds: 5 },
    },
  ],
  done: endBulk,
  failed: endBulk,
  async cancelled(tx, { id }) {
    await queryRows(
      tx,
      `update operation_items set state = 'cancelled', ended_at = now() where parent_id = $1 and state = 'waiting'`,
      [id],
    )
    const { rooms } = await countItems(tx, id)
    await setState(tx, id, rooms.cancelled > 0 ? 'CANCELLED' : stateOf(rooms))
  },
  async retrying(tx, { id }, puttingBack, by) {
    // Of a cancelled one nothing is tried again: its rooms say what became of them.
    if (puttingBack) return setWaiting(tx, id, by)
    const again = await queryRows(
      tx,
      `update operation_items
          set state = 'waiting', operation_id = null, reason = null, reasons = null, ended_at = null
        where parent_id = $1 and state = 'failed' returning 1`,
      [id],
    )
    const { rooms } = await countItems(tx, id)
    if (again.length === 0 && rooms.waiting + rooms.running === 0)
      throw refuse('operation-not-retryable', { reason: because('no-room-failed') })
    await setWaiting(tx, id, by)
  },
})

async function setWaiting(tx: Tx, id: string, { actor, role }: Pick<Caller, 'actor' | 'role'>): Promise<void> {
  await queryRows(tx, `update bulks set state = 'WAITING', ended_at = null, acts_for = $2, role = $3 where id = $1`, [
    id,
    actor,
    role,
  ])
  await announceBulk(tx, id)
}

async function workThroughRooms(call: BulkCall): Promise<void> {
  await call.transaction((tx) => setState(tx, call.id, 'RUNNING'))
  const { db, regionConcurrency } = call.services
  await runItems({
    db,
    parentId: call.id,
    signal: call.signal,
    // More than run at once, so that the next one waits in the queue of the region when a slot becomes free.
    atOnce: regionConcurrency + 1,
    isActive: 'select $1::uuid is not null',
    isPaused: isSilent,
    onPaused: watchSilentRegions(call, {
      find: () => silentRegions(db, call.id),
      announce: () => announceBulk(db, call.id),
    }),
    begin: (roomId) => beginRoom(call, roomId),
    settle: (roomIds) => call.transaction((tx) => settleRooms(tx, call.id, roomIds)),
    onChange: () => reportProgress(call),
  })
  const { rooms } = await countItems(db, call.id)
  if (rooms.failed > 0)
    throw new StepFailed(because('bulk-rooms-failed', { rooms: rooms.failed, total: totalOf(rooms) }))
}

async function reportProgress(call: BulkCall): Promise<void> {
  const { rooms } = await countItems(call.services.db, call.id)
  await call.progress(1 - (rooms.waiting + rooms.running / 2) / Math.max(1, totalOf(rooms)))
  await announceBulk(call.services.db, call.id)
}

/** Of a cancelled bulk: no further room begins, and those under way end. */
async function letThoseUnderWayEnd(call: BulkCall): Promise<void> {
  const { db } = call.services
  for (;;) {
    const { waiting, open } = await openChildren(db, call.id)
    if (waiting > 0) await call.cancelWaiting()
    await call.transaction((tx) => settleRooms(tx, call.id, null))
    if (open === 0) return
    await pause(200, call.signal)
    call.signal.throwIfAborted()
  }
}

async function endBulk(tx: Tx, { id }: OperationRecord<BulkInput>): Promise<void> {
  const { rooms } = await countItems(tx, id)
  await setState(tx, id, stateOf(rooms))
}

/** Of a bulk that has come to an end. */
function stateOf(rooms: ItemCounts['rooms']): 'DONE' | 'PARTIALLY_DONE' | 'FAILED' {
  if (rooms.done === totalOf(rooms)) return 'DONE'
  return rooms.done === 0 ? 'FAILED' : 'PARTIALLY_DONE'
}

function totalOf(rooms: ItemCounts['rooms']): number {
  return Object.values(rooms).reduce((sum, count) => sum + count, 0)
}

async function setState(tx: Tx, id: string, state: 'RUNNING' | 'DONE' | 'PARTIALLY_DONE' | 'FAILED' | 'CANCELLED') {
  const ended = state === 'RUNNING' ? 'null' : 'now()'
  await queryRows(tx, `update bulks set state = $2, ended_at = ${ended} where id = $1`, [id, state])
  await announceBulk(tx, id)
}

async function announceBulk(db: Db | Tx, id: string): Promise<void> {
  await recordChange(db, { kind: 'bulk.changed', bulkId: id })
}
