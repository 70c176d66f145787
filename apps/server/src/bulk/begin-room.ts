/** Begins the action for one room of a bulk, or says why it is not possible. */
import {
  type BulkParameters,
  because,
  type CodedReason,
  type FailureCause,
  labelsAtMost,
  type Role,
} from '@roomkeeper/contract'
import { labelsWith, type RoomSituation } from '@roomkeeper/rules'
import { sql } from 'kysely'
import { beginMove } from '#live-migrations/index.ts'
import { type Begun, failedLast, type ItemRoom, recordItem, roomIsBusy, type StepCall } from '#operations/index.ts'
import { queryBuilt, type Tx } from '#platform/database.ts'
import { Refusal, refuse } from '#platform/refuse.ts'
import {
  failureCauseSql,
  type LockedRoom,
  lockRoom,
  setLabels,
  startPartOfUpdate,
  startRoomChange,
} from '#rooms/index.ts'
import {
  type Action,
  compareLastDay,
  waitsUntilBack,
  whyNotAllowed,
  whyNotExtend,
  whyNotOfCause,
  worksInAnyRegion,
} from './actions.ts'
import { retriedByAnother } from './retries-of-regions.ts'

/** A bulk as it works on its rooms. */
export interface BulkInProgress {
  action: Action
  /** The role of the operator in whose name the bulk acts; it decides what the bulk may do with a room. */
  role: Role
  actsFor: string
  /** Whether it updates whole regions: then it waits for busy rooms, and works in disabled regions, too. */
  isOfWholeRegions: boolean
}

/** @throws Refusal `room-busy` when the room has to be tried again */
export async function beginRoom(
  tx: Tx,
  call: Pick<StepCall<unknown>, 'id' | 'regionId' | 'requestId' | 'start' | 'retry'>,
  bulk: BulkInProgress,
  room: ItemRoom,
): Promise<Begun> {
  const { action, role, actsFor } = bulk
  if (action.action === 'retry') return retry(tx, call, bulk, room)
  const locked = await findLocked(tx, room)
  if (locked === null) return { reasons: [because('room-gone')] }
  // It has moved since the update of this region was started.
  if (call.regionId !== null && call.regionId !== locked.row.regionId)
    return { reasons: [because('room-in-another-region')] }
  const reason = whyNotAllowed(action.action, await situationNow(tx, locked, bulk), role)
  const obstacle = reason ?? whyNotExtendRoom(action, locked)
  if (obstacle !== null) return { reasons: [obstacle] }
  if (action.action === 'move') return move(tx, call, action.parameters, locked)
  if (action.action === 'label') return label(tx, call, bulk, action.parameters, locked)
  try {
    const starter = { parentId: call.id, startedBy: actsFor, requestId: call.requestId, background: true }
    const operationId = bulk.isOfWholeRegions
      ? await startPartOfUpdate(tx, locked, starter)
      : await startRoomChange(tx, locked, action, starter)
    return { operationId }
  } catch (error) {
    // The change refused this room. A room that is only busy is tried again.
    if (error instanceof Refusal && error.code !== 'room-busy') return { reasons: [error.reason] }
    throw error
  }
}

/** @returns null if the room no longer exists, even if another room has its name now */
async function findLocked(tx: Tx, { roomId, roomName }: ItemRoom): Promise<LockedRoom | null> {
  try {
    const locked = await lockRoom(tx, roomName)
    return locked.row.id === roomId ? locked : null
  } catch (error) {
    if (error instanceof Refusal && error.code === 'room-unknown') return null
    throw error
  }
}

async function situationNow(
  tx: Tx,
  { row, situation }: LockedRoom,
  { action, isOfWholeRegions }: BulkInProgress,
): Promise<RoomSituation> {
  const isBusy = await roomIsBusy(tx, row.id)
  if (isBusy && isOfWholeRegions) throw refuse('room-busy', { room: row.name })
  const inAnyRegion = isOfWholeRegions || worksInAnyRegion(action)
  const now = { ...situation, runningOperation: isBusy ? {} : null }
  return inAnyRegion ? { ...now, regionState: 'enabled' } : now
}

function whyNotExtendRoom(action: Action, { row }: LockedRoom): CodedReason | null {
  if (action.action !== 'extend') return null
  return whyNotExtend(action, compareLastDay(row.expirationDate, action.parameters.expirationDate))
}

/** Done at once: it takes no operation. */
async function label(
  tx: Tx,
  { id, requestId }: Pick<StepCall<unknown>, 'id' | 'requestId'>,
  { actsFor }: BulkInProgress,
  change: BulkParameters<'label'>,
  { row }: LockedRoom,
): Promise<Begun> {
  const labels = labelsWith(row.labels, change)
  if (labels.length > labelsAtMost) return { reasons: [because('labels-at-most', { max: labelsAtMost })] }
  await setLabels(tx, row, labels, { actor: actsFor, requestId, operation: { id, kind: 'bulk.run' } })
  await recordItem(tx, { parentId: id, roomId: row.id, state: 'done', reasons: null })
  return null
}

async function move(
  tx: Tx,
  call: Pick<StepCall<unknown>, 'id' | 'start'>,
  { targetRegion, skipActiveSessions }: { targetRegion: number; skipActiveSessions: boolean },
  { row, regionName }: LockedRoom,
): Promise<Begun> {
  if (row.regionId === targetRegion) {
    return { reasons: [because('already-in-region', { region: regionName })] }
  }
  const way = {
    migrationId: null,
    runId: call.id,
    sourceRegionId: row.regionId,
    targetRegionId: targetRegion,
    routing: true,
    skipActiveSessions,
  }
  const begun = await beginMove(tx, call, way, { roomId: row.id, roomName: row.name }, true)
  return 'operationId' in begun ? begun : { reasons: begun.reasons }
}

/** The operation is locked before its room, as by every other retry, so that the two never wait for each other. */
async function retry(
  tx: Tx,
  call: Pick<StepCall<unknown>, 'id' | 'retry'>,
  { action, role, actsFor }: BulkInProgress,
  { roomId }: ItemRoom,
): Promise<Begun> {
  const [room] = await queryBuilt<{ cause: FailureCause | null; failedId: string | null; failedSince: boolean | null }>(
    tx,
    sql`select ${failureCauseSql} as cause, failed.id as failed_id,
               failed.n > (select n from operations where id = ${call.id}) as failed_since
          from rooms left join (${sql.raw(failedLast)}) as failed on failed.room_id = rooms.id where rooms.id = ${roomId}`,
  )
  if (room === undefined) return { reasons: [because('room-gone')] }
  if (await roomIsBusy(tx, roomId)) return { reasons: [because('in-progress')] }
  const obstacle = whyNotOfCause(action, room.cause)
  if (obstacle !== null) return { reasons: [obstacle] }
  const other = waitsUntilBack(action) ? await retriedByAnother(tx, call.id, roomId) : null
  if (other !== null) return { reasons: [because('retry-waits-already', { by: other })] }
  // What failed after the operator had decided may be something else, such as a deletion.
  if (room.failedId === null || room.failedSince === true) return { reasons: [because('nothing-to-retry')] }
  try {
    await call.retry(tx, room.failedId, { actor: actsFor, role })
    return { operationId: room.failedId }
  } catch (error) {
    if (error instanceof Refusal) return { reasons: [error.code === 'not-allowed' ? because('role') : error.reason] }
    throw error
  }
}
