/**
 * The operation of a bulk: begins an operation for each of its rooms, as the regions have slots for work in the
 * background, and waits for them. If some fail, so does the bulk, and a retry takes only those up again.
 */
import {
  type BulkAction,
  because,
  bulkActions,
  type CodedReason,
  type ProcessType,
  type Role,
} from '@roomkeeper/contract'
import { z } from 'zod'
import { recordChange } from '#changes/index.ts'
import {
  cancelWaitingItems,
  countItems,
  type ItemCounts,
  type ItemWork,
  type Operation,
  type OperationRecord,
  operation,
  retryFailedItems,
  runItems,
  type StepCall,
  StepFailed,
  settleItems,
  stopItems,
  totalOf,
} from '#operations/index.ts'
import { type Db, queryRows, type Tx } from '#platform/database.ts'
import { type Action, readAction, regionsNeededFor, waitsUntilBack } from './actions.ts'
import { beginRoom } from './begin-room.ts'

/** The parameters are in the row of the bulk, the rooms in its items. */
const input = z.object({ action: z.enum(bulkActions) })
type BulkInput = z.infer<typeof input>
export type BulkCall = StepCall<BulkInput>

/** What kinds of bulks do differently. */
interface BulkKind {
  kind: string
  process: ProcessType | null
  isOfWholeRegions: boolean
  step: { id: string; title: string }
  /** @returns why the bulk fails; null: no room has failed */
  run(call: BulkCall, work: ItemWork): Promise<CodedReason | null>
  /** @throws Refusal */
  retrying?(tx: Tx, record: OperationRecord<BulkInput>): Promise<void>
}

export function bulkOperation({
  kind,
  process,
  isOfWholeRegions,
  step,
  run,
  retrying,
}: BulkKind): Operation<BulkInput> {
  return operation<BulkInput>({
    kind,
    version: 1,
    process,
    input,
    takesSlot: false,
    whenFailed: 'keep',
    managedBy: 'admin',
    steps: [
      {
        ...step,
        async run(call) {
          await call.transaction((tx) => setState(tx, call.id, 'RUNNING'))
          const failed = await run(call, await workOf(call, isOfWholeRegions))
          if (failed !== null) throw new StepFailed(failed)
        },
        undo: async (call) => stopItems(call, await workOf(call, isOfWholeRegions)),
        retry: { minutes: Number.POSITIVE_INFINITY, longestPauseSeconds: 5 },
      },
    ],
    done: endBulk,
    async failed(tx, { id }) {
      const counts = await countItems(tx, id)
      await setState(tx, id, totalOf(counts) === 0 ? 'FAILED' : stateOf(counts))
    },
    async cancelled(tx, { id }) {
      await cancelWaitingItems(tx, id)
      const counts = await countItems(tx, id)
      const hasEndedBefore = counts.rooms.cancelled === 0 && totalOf(counts) > 0
      await setState(tx, id, hasEndedBefore ? stateOf(counts) : 'CANCELLED')
    },
    async retrying(tx, record, isFinishingUndo, { actor, role }) {
      await retrying?.(tx, record)
      // After a cancellation, a retry only finishes the undo: no room is tried again.
      if (!isFinishingUndo) await retryFailedItems(tx, record.id)
      await queryRows(
        tx,
        `update bulks set state = 'WAITING', ended_at = null, acts_for = $2, role = $3 where id = $1`,
        [record.id, actor, role],
      )
      await announceBulk(tx, record.id)
    },
  })
}

export const bulkRun = bulkOperation({
  kind: 'bulk.run',
  process: null,
  isOfWholeRegions: false,
  step: { id: 'work-through-rooms', title: 'work through the project rooms' },
  async run(call, work) {
    await runItems(call, work)
    const counts = await countItems(call.services.db, call.id)
    const { failed } = counts.rooms
    return failed === 0 ? null : because('bulk-rooms-failed', { rooms: failed, total: totalOf(counts) })
  },
})

async function workOf(call: BulkCall, isOfWholeRegions: boolean): Promise<ItemWork> {
  const { db, regionConcurrency } = call.services
  const bulk = { ...(await readBulk(db, call.id)), isOfWholeRegions }
  return {
    // More than run at once, so that the next one waits in the queue of the region when a slot becomes free.
    atOnce: regionConcurrency + 1,
    needsRegion: regionsNeededFor(bulk.action),
    untilBack: waitsUntilBack(bulk.action),
    waitsForBusyRooms: isOfWholeRegions,
    begin: (tx, room) => beginRoom(tx, call, bulk, room),
    settle: (roomIds) => call.transaction((tx) => settleItems(tx, call.id, roomIds)),
    changed: () => announceBulk(db, call.id),
  }
}

async function readBulk(db: Db, id: string): Promise<{ action: Action; role: Role; actsFor: string }> {
  const [row] = await queryRows<{ action: BulkAction; parameters: unknown; role: Role; actsFor: string }>(
    db,
    'select action, parameters, role, acts_for from bulks where id = $1',
    [id],
  )
  if (row === undefined) throw new Error('The bulk of the operation is gone.')
  return { action: readAction(row.action, row.parameters), role: row.role, actsFor: row.actsFor }
}

async function endBulk(tx: Tx, { id }: OperationRecord<BulkInput>): Promise<void> {
  await setState(tx, id, stateOf(await countItems(tx, id)))
}

/** The state of a bulk that has ended. */
function stateOf(counts: ItemCounts): 'DONE' | 'PARTIALLY_DONE' | 'FAILED' {
  if (counts.rooms.done === totalOf(counts)) return 'DONE'
  return counts.rooms.done === 0 ? 'FAILED' : 'PARTIALLY_DONE'
}

async function setState(tx: Tx, id: string, state: 'RUNNING' | 'DONE' | 'PARTIALLY_DONE' | 'FAILED' | 'CANCELLED') {
  const ended = state === 'RUNNING' ? 'null' : 'steady_now()'
  await queryRows(tx, `update bulks set state = $2, ended_at = ${ended} where id = $1`, [id, state])
  await announceBulk(tx, id)
}

async function announceBulk(db: Db | Tx, id: string): Promise<void> {
  await recordChange(db, { kind: 'bulk.changed', bulkId: id })
}
