/** Starts an operation for an existing room: checks, changes the state, records and audits in one transaction. */
import { because, type CodedReason, type Role } from '@roomkeeper/contract'
import type { Reason, RoomSituation } from '@roomkeeper/rules'
import { recordChange } from '#changes/index.ts'
import { findStarted, type Operation, type StartParts, startOnce, startOperation } from '#operations/index.ts'
import type { Database, Tx } from '#platform/database.ts'
import { accepted, type Caller } from '#platform/http/handler.ts'
import { type Refusal, refuse } from '#platform/refuse.ts'
import { changeState, type RoomRequestKind } from './change-state.ts'
import { type LockedRoom, lockRoom, type RoomState } from './stored-room.ts'

export interface RoomCore {
  database: Database
}

/** The part of a call that matters for starting something. */
export interface StartingCall {
  caller: Caller
  requestId: string
  header(name: string): string | undefined
}

/** A change of an existing room: when it is possible, and the operation that makes it. */
export interface RoomChange<Input> {
  kind: Operation<Input>
  whyNot(situation: RoomSituation, role: Role): Reason | null
  /** The stored state of the room while the operation runs; null leaves it unchanged. */
  becomes: RoomState | null
  /** Null if the operation itself records the change when it is done. */
  audit: { kind: RoomRequestKind; detail?: string | CodedReason } | null
  /** Its record has only the room's name, so that it does not keep other operations of the room waiting. */
  beside?: true
  /** Runs in the starting transaction, with the room's row locked. @throws Refusal */
  input(tx: Tx, locked: LockedRoom): Input | Promise<Input>
}

interface RoomStart<Input> extends RoomChange<Input> {
  /** The route's name in the contract; a repeated Idempotency-Key counts within it. */
  route: string
  /** The request as sent, to compare with a repeated one. */
  request: unknown
  roomName: string
}

/**
 * @returns the operation's id
 * @throws Refusal `room-unknown`, `wrong-state`, `administrators-only`, `room-busy`, `idempotency-mismatch`
 */
export function startForRoom<Input>(core: RoomCore, call: StartingCall, start: RoomStart<Input>): Promise<string> {
  const { caller, requestId } = call
  const request = { caller, route: start.route, key: call.header('idempotency-key'), body: start.request }
  return startOnce(core.database, request, async (tx) => {
    const locked = await lockRoom(tx, start.roomName)
    const reason = start.whyNot(locked.situation, caller.role)
    if (reason !== null) throw refusalFor(reason)
    return startChange(tx, locked, start, { startedBy: caller.actor, requestId })
  })
}

/** Who starts a change, and as part of what. */
export interface Starter extends Pick<StartParts<unknown>, 'startedBy' | 'requestId' | 'background'> {
  parentId?: string
}

/**
 * Starts a change that is possible for the room.
 * @returns the operation's id
 * @throws Refusal `room-busy`, and what the change's input refuses
 */
export async function startChange<Input>(
  tx: Tx,
  locked: LockedRoom,
  { kind, becomes, audit, beside, input }: RoomChange<Input>,
  starter: Starter,
): Promise<string> {
  const { row } = locked
  const { startedBy, requestId } = starter
  const whose =
    beside === true ? { room: null, subject: row.name, regionId: null } : { room: row, regionId: row.regionId }
  const parts = { ...starter, ...whose, input: await input(tx, locked) }
  const operationId = await startOperation(tx, kind, parts)
  const asked = audit === null ? null : { ...audit, actor: startedBy, operationId, requestId }
  if (becomes !== null)
    await changeState(tx, row.id, { from: [row.state], to: becomes }, asked ?? { kind: 'room.work-began' })
  else if (asked !== null) await recordChange(tx, { ...asked, room: row })
  return operationId
}

/** The rules first check what the role may never do with this room in any state; that has its own refusal. */
function refusalFor(reason: Reason): Refusal {
  const isForAdministrators = reason === 'online-shop-admin-only'
  return refuse(isForAdministrators ? 'administrators-only' : 'wrong-state', { reason: because(reason) })
}

/**
 * For calls that ask a region or an object store before they start an operation. A repeated Idempotency-Key gets the
 * earlier answer without asking again.
 */
export async function unlessRepeated(
  core: RoomCore,
  call: StartingCall,
  { route, request }: Pick<RoomStart<unknown>, 'route' | 'request'>,
  start: () => Promise<AcceptedReply>,
): Promise<AcceptedReply> {
  const { caller } = call
  const earlier = await findStarted(core.database.db, {
    caller,
    route,
    key: call.header('idempotency-key'),
    body: request,
  })
  return earlier === null ? start() : accepted(earlier)
}
type AcceptedReply = ReturnType<typeof accepted>

/** `startForRoom` for routes that answer 202. */
export async function acceptForRoom<Input>(core: RoomCore, call: StartingCall, start: RoomStart<Input>) {
  return accepted(await startForRoom(core, call, start))
}
