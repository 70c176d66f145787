/** Checks whether the room can be moved now: not locked, and nobody works in it. */
import { because } from '@roomkeeper/contract'
import { connectTo, holderOf, homeOf, type MoveCall, movedRoom } from './move-call.ts'
import { homeFact, requireMovable } from './require-movable.ts'

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
