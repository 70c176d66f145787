/**
 * Removes a second copy of a room, but only if the copy in use answers with the same room id and is not locked, both
 * hold the same content, and they are really two copies, not one that is seen under two addresses: a lock that is put
 * on the second copy must not appear on the one in use.
 */

import { randomUUID } from 'node:crypto'
import { because } from '@roomkeeper/contract'
import type { RoomInfo } from '@roomkeeper/region-protocol'
import { StepFailed } from '#operations/index.ts'
import {
  copyToLock,
  findRedirect,
  forgetClosing,
  isClosing,
  recordClosing,
  refuseOlderCalls,
  removeCheckedCopy,
  runRegionJob,
  startRemoval,
  suspendLocked,
  withCopyLocked,
  withNextFence,
} from '#regions/index.ts'
import type { DoctorParts } from '../doctor-parts.ts'
import type { StoredFinding } from '../stored-finding.ts'
import type { ConsoleRoom } from '../walk/merge-rooms.ts'
import { impossible, type RepairCall, type RepairKind, regionOf, roomOf } from './repair-kind.ts'

export const removeCopy: RepairKind = {
  async preview(parts, finding) {
    const { room, copy, kept } = await sidesOf(parts, finding)
    const [inUse, second] = await Promise.all([kept.client.room(room.name), copy.client.room(room.name)])
    const reason = whyNot(room, inUse, second)
    if (reason !== null) throw impossible(reason)
    return [{ field: 'copy', from: `${copy.name}: ${second?.size ?? 0} B`, to: null }]
  },
  async run(call, parts, finding) {
    const { room, copy, kept } = await sidesOf(parts, finding)
    const removal = await startRemoval(call, copy.client, 'remove-copy')
    const second = await copy.client.room(room.name)
    // An earlier try may have removed the copy, or may have been interrupted while removing it.
    if (second !== null) await closeWhenEqual(call, room, copy.client, kept.client)
    const request = { room: room.name, roomId: room.id, holder: holderOf(call), isListed: second !== null }
    const keepRoute = (await findRedirect(parts.db, { roomId: room.id, regionId: copy.id })) !== null
    const { existed } = await removeCheckedCopy(call, copy.client, removal, { ...request, keepRoute })
    // Earlier calls that close or open the copy are also refused if they arrive late.
    await refuseOlderCalls(copy.client, withNextFence(call.mark))
    await call.log([because(existed ? 'log-removed-from' : 'log-not-in-region', { region: copy.name })])
  },
}

type Region = Awaited<ReturnType<typeof regionOf>>

async function closeWhenEqual(
  call: RepairCall,
  room: ConsoleRoom,
  copy: Region['client'],
  kept: Region['client'],
): Promise<void> {
  const own = copyToLock(call, { region: copy, name: room.name, roomId: room.id, holder: holderOf(call) })
  try {
    const held = await withCopyLocked(own, async (second) => {
      const reason =
        whyNot(room, await kept.room(room.name), { ...second, lock: null, locked: false }) ??
        (await whatDiffers(call, room, copy, kept))
      if (reason !== null) throw new StepFailed(because(reason))
    })
    if (held.state === 'active') await recordClosing(call, room.id)
    await suspendLocked(own, held)
  } catch (error) {
    if (await isClosing(call, room.id)) {
      await copy.resumeRoom(room.name, room.id, call.mark)
      await forgetClosing(call, room.id)
    }
    throw error
  }
}

/** @returns null if both hold the same content */
async function whatDiffers(
  call: RepairCall,
  room: ConsoleRoom,
  copy: Region['client'],
  kept: Region['client'],
): Promise<'copies-differ' | null> {
  const job = { type: 'digestRoom', room: room.name, roomId: room.id } as const
  // A new job for each try, so that the digests are current.
  const [second, inUse] = await Promise.all(
    [copy, kept].map((region) => runRegionJob(call, region, job, `digest-copy-${randomUUID()}`)),
  )
  if (second !== undefined && second.digest === inUse?.digest) return null
  return 'copies-differ'
}

type CopyReason = 'no-second-copy' | 'perhaps-only-copy' | 'used-copy-locked' | 'second-copy-locked'

/** @returns null if the second copy can be removed */
function whyNot(room: ConsoleRoom, inUse: RoomInfo | null, second: RoomInfo | null): CopyReason | null {
  if (second === null || second.roomId !== room.id) return 'no-second-copy'
  if (inUse === null || inUse.roomId !== room.id) return 'perhaps-only-copy'
  if (inUse.locked) return 'used-copy-locked'
  if (second.locked) return 'second-copy-locked'
  return null
}

async function sidesOf(parts: DoctorParts, finding: StoredFinding) {
  const room = await roomOf(parts, finding)
  if (room.id !== finding.roomId) throw impossible('other-room-of-name')
  if (room.regionId === finding.regionId) throw impossible('copy-in-use')
  const [copy, kept] = await Promise.all([regionOf(parts, finding.regionId), regionOf(parts, room.regionId)])
  return { room, copy, kept }
}

function holderOf({ id }: RepairCall): string {
  return `doctor ${id}`
}
