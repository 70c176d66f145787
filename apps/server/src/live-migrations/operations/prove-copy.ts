/**
 * Proves whose a copy in a target is. Only the call that made it tells: repeated, it is answered for the copy that it made,
 * and refused for any other. Where there is none, though, it makes one. So it is repeated only
 * - for a copy that is held by a lock, because nobody removes a room that somebody else has locked, and
 * - under a fence of its own, which is raised as soon as it is answered, and before it is asked again: a question whose
 *   answer was lost is refused when it arrives after all.
 */
import {
  type CallMark,
  type RegionClient,
  RegionRefusal,
  type RoomCreation,
  type RoomInfo,
  saysUnknown,
} from '@roomkeeper/region-protocol'
import { above, ownMark, refuseBelow } from '#regions/index.ts'
import { doesNotHaveIt } from './hold-locks.ts'
import type { LeftCopy, RemovalCall } from './remove-copy.ts'

/** `of this move`: it is locked by the move then. */
export type Proved = 'none' | 'of others' | 'of this move'

export async function proveCopy(call: RemovalCall, target: RegionClient, copy: LeftCopy): Promise<Proved> {
  const question = ownMark(call, 'questions')
  await refuseBelow(target, question)
  const held = await hold(call, target, copy, question)
  if (held === 'none' || held === 'of others') return held
  try {
    await target.createRoom(call.roomName, copy.creation as RoomCreation, question)
    return 'of this move'
  } catch (error) {
    // Anything else, such as a newer worker's fence, says nothing about whose it is.
    if (!(error instanceof RegionRefusal && ofOthers.has(error.type))) throw error
    await target.unlockRoom(call.roomName, { roomId: copy.roomId, holder: copy.holder }, call.mark)
    return 'of others'
  } finally {
    await refuseBelow(target, above(question)).catch(() => undefined)
  }
}

const ofOthers = new Set(['urn:roomkeeper-region:room-differs', 'urn:roomkeeper-region:room-exists'])

async function hold(
  call: RemovalCall,
  target: RegionClient,
  { roomId, holder }: LeftCopy,
  question: CallMark,
): Promise<RoomInfo | 'none' | 'of others'> {
  try {
    return await target.lockRoom(call.roomName, { roomId, holder }, question)
  } catch (error) {
    if (error instanceof RegionRefusal && error.status === diskIsFull) return look(target, call.roomName, roomId)
    if (!doesNotHaveIt(error)) throw error
    return saysUnknown(error) ? 'none' : 'of others'
  }
}

/** No lock can be written, and nothing can be made either; the copy may be what fills the disk. */
const diskIsFull = 507

async function look(target: RegionClient, name: string, roomId: string): Promise<RoomInfo | 'none' | 'of others'> {
  const found = await target.room(name)
  if (found === null) return 'none'
  return found.roomId === roomId ? found : 'of others'
}
