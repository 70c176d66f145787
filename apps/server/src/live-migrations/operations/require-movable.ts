/** Whether a room can be moved now: the first obstacle stops a move, with the text that the preflight shows. */
import { because } from '@roomkeeper/contract'
import { type MoveFacts, type NotMoved, outcomeOf, type WayFacts, whyNotMove } from '@roomkeeper/rules'
import { StepFailed } from '#operations/index.ts'
import type { Db, Tx } from '#platform/database.ts'
import { nameOfRegion } from './check-home.ts'
import { connectTo, holderOf, homeOf, type MoveCall, type MoveInput, movedRoom, postponed } from './move-call.ts'

type Way = Pick<MoveInput, 'sourceRegionId' | 'targetRegionId'>
type Facts = Omit<MoveFacts, 'room' | keyof WayFacts> & Pick<WayFacts, 'targetIsDisabled'>

/** @param regionId where the console has the room; null if nowhere */
export function homeFact(regionId: number | null, { sourceRegionId }: Way): NonNullable<MoveFacts['home']> {
  if (regionId === null) return 'nowhere'
  return regionId === sourceRegionId ? 'source' : 'elsewhere'
}

/** @returns null if none of the facts is an obstacle */
export async function whyNotMoved(
  db: Db | Tx,
  room: string,
  { sourceRegionId, targetRegionId }: Way,
  facts: Facts,
): Promise<NotMoved | null> {
  const source = await nameOfRegion(db, sourceRegionId)
  const target = await nameOfRegion(db, targetRegionId)
  const [first] = whyNotMove({ room, source, target, ...facts })
  return first === undefined ? null : outcomeOf(first)
}

/**
 * @throws StepFailed to end the move: `postponed` when only the moment is wrong, so that the next run tries it again
 */
export async function requireMovable(call: MoveCall, facts: Facts): Promise<void> {
  const end = await whyNotMoved(call.services.db, call.roomName, call.input, facts)
  if (end !== null) throw new StepFailed(end.reasons, end.outcome === 'postponed' ? postponed : null)
}

export async function checkLock(call: MoveCall): Promise<void> {
  const room = movedRoom(call)
  await requireMovable(call, { home: homeFact(await homeOf(call.services.db, call), call.input) })
  const found = await (await connectTo(call, 'source')).room(room.name)
  if (found === null || found.roomId !== room.id) return requireMovable(call, { inSource: 'missing' })
  const isOurs = found.lock?.holder === holderOf(call)
  await requireMovable(call, { inSource: found.locked && !isOurs ? 'locked' : 'unlocked' })
  await call.log([because('log-not-locked', { bytes: found.size })])
}

export async function checkSessions(call: MoveCall): Promise<void> {
  if (call.input.skipActiveSessions) return call.log([because('log-in-use-too')])
  const sessions = await (await connectTo(call, 'source')).sessions(call.roomName)
  await requireMovable(call, { sessions: sessions.length })
  await call.log([because('log-nobody')])
}
