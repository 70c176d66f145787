/**
 * Proves which move made a copy in a target by repeating the call that made it: the region accepts the repetition for
 * that copy and refuses it for any other. Where there is no copy, however, the call creates one. So it is repeated only
 * - for a copy that is locked, because nobody deletes a room that somebody else has locked, and
 * - under a separate fence, which is raised before each repetition and after each answer, so that a call whose answer
 *   was lost is refused if it arrives late.
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
import type { AbandonedCopy, RemovalCall } from './abandoned-copy.ts'
import { isMissingThere } from './hold-locks.ts'

/** `of this move`: the copy is then locked by the move. */
export type Proved = 'none' | 'of others' | 'of this move'

export async function proveCopy(call: RemovalCall, target: RegionClient, copy: AbandonedCopy): Promise<Proved> {
  const mark = markWithOwnFence(call, 'questions')
  await refuseOlderCalls(target, mark)
  const locked = await lockCopy(call, target, copy, mark)
  if (locked === 'none' || locked === 'of others') return locked
  try {
    await target.createRoom(call.roomName, copy.creation as RoomCreation, mark)
    return 'of this move'
  } catch (error) {
    // Any other refusal, such as one for a newer fence, proves nothing.
    if (!(error instanceof RegionRefusal && ofOthers.has(error.type))) throw error
    await target.unlockRoom(call.roomName, { roomId: copy.roomId, holder: copy.holder }, call.mark)
    return 'of others'
  } finally {
    await refuseOlderCalls(target, withNextFence(mark)).catch(() => undefined)
  }
}

const ofOthers = new Set(['urn:roomkeeper-region:room-differs', 'urn:roomkeeper-region:room-exists'])

async function lockCopy(
  call: RemovalCall,
  target: RegionClient,
  { roomId, holder }: AbandonedCopy,
  mark: CallMark,
): Promise<RoomInfo | 'none' | 'of others'> {
  try {
    return await target.lockRoom(call.roomName, { roomId, holder }, mark)
  } catch (error) {
    if (error instanceof RegionRefusal && error.status === diskIsFull) return findCopy(target, call.roomName, roomId)
    if (!isMissingThere(error)) throw error
    return isUnknownToRegion(error) ? 'none' : 'of others'
  }
}

/** A full disk takes no lock, but no new room either; and this copy may be what fills the disk. */
const diskIsFull = 507

async function findCopy(target: RegionClient, name: string, roomId: string): Promise<RoomInfo | 'none' | 'of others'> {
  const found = await target.room(name)
  if (found === null) return 'none'
  return found.roomId === roomId ? found : 'of others'
}
