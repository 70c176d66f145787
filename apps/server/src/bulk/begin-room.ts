/** Begins the action for one room of a bulk, or records why it is not possible, in one transaction. */
import { type BulkAction, because, type CodedReason, type Reasons, type Role } from '@roomkeeper/contract'
import { beginMove } from '#live-migrations/index.ts'
import { lockWaiting, recordBegun, recordItem } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { Refusal } from '#platform/refuse.ts'
import { type LockedRoom, lockRoom, startRoomChange } from '#rooms/index.ts'
import { type Action, compareLastDay, readAction, whyNotAllowed, whyNotExtend } from './actions.ts'
import type { BulkCall } from './bulk-call.ts'

/** `waits`: another operation of the room began at this moment. */
export async function beginRoom(call: BulkCall, roomId: string): Promise<'begun' | 'not-begun' | 'waits'> {
  try {
    return await call.transaction((tx) => begin(tx, call, roomId))
  } catch (error) {
    if (error instanceof Refusal && error.code === 'room-busy') return 'waits'
    throw error
  }
}

async function begin(tx: Tx, call: BulkCall, roomId: string): Promise<'begun' | 'not-begun'> {
  const parentId = call.id
  const waiting = await lockWaiting(tx, parentId, roomId)
  if (waiting === null) return 'not-begun'
  const begun = await tryToBegin(tx, call, waiting)
  if ('operationId' in begun) {
    await recordBegun(tx, { parentId, roomId, operationId: begun.operationId })
    return 'begun'
  }
  await recordItem(tx, { parentId, roomId, state: 'skipped', reasons: begun.reasons })
  return 'not-begun'
}

type Begun = { operationId: string } | { reasons: Reasons }

async function tryToBegin(tx: Tx, call: BulkCall, waiting: { roomId: string; roomName: string }): Promise<Begun> {
  const { action, role, actsFor } = await readBulk(tx, call.id)
  const locked = await findLocked(tx, waiting)
  if (locked === null) return { reasons: [because('room-gone')] }
  const reason = (await whyNotNow(tx, action.action, locked, role)) ?? whyNotExtendRoom(action, locked)
  if (reason !== null) return { reasons: [reason] }
  if (action.action === 'move') return move(tx, call, action.parameters, locked)
  try {
    const starter = { parentId: call.id, startedBy: actsFor, requestId: call.requestId, background: true }
    return { operationId: await startRoomChange(tx, locked, action, starter) }
  } catch (error) {
    // What the change itself finds wrong with this room. Another operation of the room is not its fault.
    if (error instanceof Refusal && error.code !== 'room-busy') return { reasons: [error.reason] }
    throw error
  }
}

async function readBulk(tx: Tx, id: string): Promise<{ action: Action; role: Role; actsFor: string }> {
  const [row] = await queryRows<{ action: BulkAction; parameters: unknown; role: Role; actsFor: string }>(
    tx,
    'select action, parameters, role, acts_for from bulks where id = $1',
    [id],
  )
  if (row === undefined) throw new Error('The bulk of the operation is gone.')
  return { action: readAction(row.action, row.parameters), role: row.role, actsFor: row.actsFor }
}

/** Null if the room is gone, also if another one has its name now. */
async function findLocked(
  tx: Tx,
  { roomId, roomName }: { roomId: string; roomName: string },
): Promise<LockedRoom | null> {
  try {
    const locked = await lockRoom(tx, roomName)
    return locked.row.id === roomId ? locked : null
  } catch (error) {
    if (error instanceof Refusal && error.code === 'room-unknown') return null
    throw error
  }
}

async function whyNotNow(
  tx: Tx,
  action: BulkAction,
  { row, situation }: LockedRoom,
  role: Role,
): Promise<CodedReason | null> {
  const open = await queryRows(
    tx,
    `select from operations where room_id = $1 and state in ('waiting', 'running', 'cancelling')`,
    [row.id],
  )
  const now = { ...situation, runningOperation: open.length > 0 ? {} : null }
  // A room is moved away from a disabled region, too.
  return whyNotAllowed(action, action === 'move' ? { ...now, regionState: 'enabled' } : now, role)
}

function whyNotExtendRoom(action: Action, { row }: LockedRoom): CodedReason | null {
  if (action.action !== 'extend') return null
  return whyNotExtend(action, compareLastDay(row.expirationDate, action.parameters.expirationDate))
}

async function move(
  tx: Tx,
  call: BulkCall,
  { targetRegion, skipActiveSessions }: { targetRegion: number; skipActiveSessions: boolean },
  { row }: LockedRoom,
): Promise<Begun> {
  if (row.regionId === targetRegion) {
    const { name: region } = await tx
      .selectFrom('regions')
      .select('name')
      .where('id', '=', targetRegion)
      .executeTakeFirstOrThrow()
    return { reasons: [because('already-in-region', { region })] }
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
