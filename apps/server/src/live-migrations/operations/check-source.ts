/** Whether the room can be moved now: is it locked, does somebody work in it. */
import { StepFailed } from '#operations/index.ts'
import { connectTo, holderOf, homeOf, type MoveCall, movedRoom, postpone } from './move-call.ts'

export async function checkLock(call: MoveCall): Promise<void> {
  const room = movedRoom(call)
  if ((await homeOf(call.services.db, call)) !== call.input.sourceRegionId)
    throw new StepFailed('The project room is not in the source region (any more).')
  const found = await (await connectTo(call, 'source')).room(room.name)
  if (found === null || found.roomId !== room.id) throw new StepFailed('The source does not have the project room.')
  const isOurs = found.lock?.holder === holderOf(call)
  if (found.locked && !isOurs) throw postpone('The project room is locked by somebody else.')
  await call.log(`not locked, ${found.size} bytes`)
}

export async function checkSessions(call: MoveCall): Promise<void> {
  if (call.input.skipActiveSessions) return call.log('not asked: rooms in use are moved too')
  const sessions = await (await connectTo(call, 'source')).sessions(call.roomName)
  if (sessions.length > 0) throw postpone(`The project room is in use: ${sessions.length} active sessions.`)
  await call.log('nobody is signed in')
}
