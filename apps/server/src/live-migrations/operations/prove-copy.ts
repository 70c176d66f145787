/**
 * Proves which move made a copy in a target, by repeating the call that made it: the region answers it for that copy,
 * and refuses it for any other. Where there is no copy, however, the call makes one. So it is repeated only
 * - for a copy that is locked, because nobody deletes a room that somebody else has locked, and
 * - under a fence of its own, which is raised after each answer and before each repetition: a call whose answer was
 *   lost is refused when it arrives late.
 */
import {
  type CallMark,
  isUnknownToRegion,
  type RegionClient,
  RegionRefusal,
  type RoomCreation,
  type RoomInfo,
} from '@roomkeeper/region-protocol'
import { markWithOwnFence, refuseOlderCalls, withNextFence } from '#regions/index.ts'
import { isMissingThere } from './hold-locks.ts'
import type { AbandonedCopy, RemovalCall } from './remove-copy.ts'

/** `of this move`: it is locked by the move then. */
export type Proved = 'none' | 'of others' | 'of this move'

export async function proveCopy(call: RemovalCall, target: RegionClient, copy: AbandonedCopy): Promise<Proved> {
  const question = markWithOwnFence(call, 'questions')
  await refuseOlderCalls(target, question)
  const held = await hold(call, target, copy, question)
  if (held === 'none' || held === 'of others') return held
  try {
    await target.createRoom(call.roomName, copy.creation as RoomCreation, question)
    return 'of this move'
  } catch (error) {
    // Any other refusal, such as one for a newer fence, proves nothing.
    if (!(error instanceof RegionRefusal && ofOthers.has(error.type))) throw error
    await target.unlockRoom(call.roomName, { roomId: copy.roomId, holder: copy.holder }, call.mark)
    return 'of others'
  } finally {
    await refuseOlderCalls(target, withNextFence(question)).catch(() => undefined)
  }
}

const ofOthers = new Set(['urn:roomkeeper-region:room-differs', 'urn:roomkeeper-region:room-exists'])

async function hold(
  call: RemovalCall,
  target: RegionClient,
  { roomId, holder }: AbandonedCopy,
  question: CallMark,
): Promise<RoomInfo | 'none' | 'of others'> {
  try {
    return await target.lockRoom(call.roomName, { roomId, holder }, question)
  } catch (error) {
    if (error instanceof RegionRefusal && error.status === diskIsFull) return look(target, call.roomName, roomId)
    if (!isMissingThere(error)) throw error
    return isUnknownToRegion(error) ? 'none' : 'of others'
  }
}

/** A full disk: no lock can be written, but no room can be made either; and this copy may be what fills the disk. */
const diskIsFull = 507

async function look(target: RegionClient, name: string, roomId: string): Promise<RoomInfo | 'none' | 'of others'> {
  const found = await target.room(name)
  if (found === null) return 'none'
  return found.roomId === roomId ? found : 'of others'
}
