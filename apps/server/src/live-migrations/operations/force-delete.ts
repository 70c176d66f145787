/**
 * Removes what failed migrations left in a target. A copy is removed only if it has the id of the room that was to be
 * moved, and if the console either has deleted that room or has it in another region, proved to be another server. A
 * copy that is open for users is kept: copies are closed until the switch, and the database may have lost the switch.
 */
import { because, type CodedReason } from '@roomkeeper/contract'
import { cleanText, RegionUnreachable } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { recordChange } from '#changes/index.ts'
import {
  NotYet,
  noUndo,
  type OperationRecord,
  operation,
  type StepCall,
  StepFailed,
  toldByRegion,
} from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { isRegionError, logFailureOfRegion, refuseCallsOf, removeCheckedCopy, startRemoval } from '#regions/index.ts'
import { type Copy, requireHome } from './check-home.ts'
import { homeOf } from './move-call.ts'
import { requireOtherServer } from './require-other-server.ts'

const forceDeleteInput = z.object({
  migrationId: z.int(),
  targetRegionId: z.int(),
  rooms: z.array(z.object({ id: z.uuid(), name: z.string() })),
})
type ForceDeleteInput = z.infer<typeof forceDeleteInput>
type RemovingCall = StepCall<ForceDeleteInput>

export const forceDelete = operation<ForceDeleteInput>({
  kind: 'migration.force-delete',
  version: 1,
  process: 'Delete PR',
  input: forceDeleteInput,
  takesSlot: true,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [{ id: 'remove-copies', title: 'remove the copies from the target', run: removeCopies, undo: endRemovals }],
  done: recordEnd,
  failed: recordEnd,
  cancelled: recordEnd,
  retrying: noUndo,
})

interface Settled {
  rooms: Set<string>
  kept: string[]
  open: string[]
  refused: string[]
}

/** Regions that were unreachable in this try, so that each is waited for only once. */
type UnreachableHomes = Map<number, RegionUnreachable>

/** A target that is unreachable for one room is unreachable for the others too. */
class TargetUnreachable extends Error {
  readonly reason: RegionUnreachable
  constructor(reason: RegionUnreachable) {
    super(reason.message)
    this.reason = reason
  }
}

function targetUnreachable(error: unknown): never {
  throw error instanceof RegionUnreachable ? new TargetUnreachable(error) : error
}

/** By the call of the step: its next try goes on with the rooms that are not settled yet. */
const settledBy = new WeakMap<RemovingCall, Settled>()

async function removeCopies(call: RemovingCall): Promise<void> {
  const { rooms } = call.input
  const settled = settledBy.get(call) ?? { rooms: new Set(), kept: [], open: [], refused: [] }
  settledBy.set(call, settled)
  const transient: unknown[] = []
  const homes: UnreachableHomes = new Map()
  for (const room of rooms.filter(({ id }) => !settled.rooms.has(id))) {
    call.signal.throwIfAborted()
    const error = await settle(call, room, { ...settled, homes })
    if (error === null) await call.progress(settled.rooms.size / rooms.length)
    else transient.push(error)
  }
  if (transient.length > 0) throw transient[0]
  const reasons = [
    ...(settled.kept.length > 0 ? [because('perhaps-only-copies', { reason: first(settled.kept) })] : []),
    ...(settled.open.length > 0 ? [because('copies-open', { reason: first(settled.open) })] : []),
    ...(settled.refused.length > 0 ? [because('removal-refused', { reason: first(settled.refused) })] : []),
  ]
  if (reasons.length > 0) throw new StepFailed(reasons)
}

/** @returns why the room cannot be settled yet; null once it is settled. @throws errors that do not concern the room */
async function settle(
  call: RemovingCall,
  room: { id: string; name: string },
  { rooms, kept, open, refused, homes }: Settled & { homes: UnreachableHomes },
): Promise<unknown> {
  try {
    await call.log([because('log-of-room', { room: room.name, reason: await removeCopy(call, room, homes) })])
  } catch (error) {
    if (error instanceof TargetUnreachable) throw error.reason
    if (error instanceof NotYet) return error
    if (error instanceof StepFailed) {
      const reasons = error.failureCode === copyStillOpen ? open : kept
      reasons.push(room.name)
      await call.log([because('log-room-kept', { room: room.name }), ...error.reasons], 'error')
    } else if (!isRegionError(error)) throw error
    else if (error.isTransient) return error
    else {
      // An obstacle of one room, such as a lock, says nothing about the others.
      refused.push(`${room.name} ("${cleanText(error.message, longestReason)}")`)
      await call.log([because('log-room-refused', { room: room.name }), toldByRegion(error)], 'error')
    }
  }
  rooms.add(room.id)
  return null
}

/** The code of the failure that the summary lists apart: the copy is open for users. */
const copyStillOpen = 'copy-still-open'

const mostNamed = 20
const longestReason = 200

function first(names: readonly string[]): CodedReason {
  const more = names.length - mostNamed
  const rooms = names.slice(0, mostNamed).join(', ')
  return more > 0 ? because('rooms-named-and-more', { rooms, more }) : because('rooms-named', { rooms })
}

/** @returns what became of the copy, for the log */
async function removeCopy(
  call: RemovingCall,
  room: { id: string; name: string },
  homes: UnreachableHomes,
): Promise<CodedReason> {
  const { targetRegionId } = call.input
  const inUse = await queryRows(
    call.services.db,
    `select id from rooms where id = $1 and region_id = $2
     union all select room_id from capacity_reservations where room_id = $1`,
    [room.id, targetRegionId],
  )
  if (inUse.length > 0) return because('log-kept-in-use')
  const region = await call.services.connectRegion(targetRegionId, call.signal)
  const removal = await startRemoval(call, region, `remove-${room.name}`).catch(targetUnreachable)
  const found = await region.room(room.name).catch(targetUnreachable)
  if (found === null) return because('log-nothing-left')
  if (found.roomId !== room.id) return because('log-kept-other')
  const seen = await confirmHome(call, { roomId: room.id, name: room.name, regionId: targetRegionId }, homes)
  if (seen !== null) {
    await requireOtherServer(call, region, room, seen.home)
    if (found.state === 'active') throw new StepFailed(because('copy-open-compare'), copyStillOpen)
  }
  const { existed } = await removeCheckedCopy(call, region, removal, {
    room: room.name,
    roomId: room.id,
    isListed: true,
  })
  return because(existed ? 'log-room-removed' : 'log-nothing-left')
}

/** Late removals must not delete what a later move has brought to the target. */
async function endRemovals(call: RemovingCall): Promise<void> {
  // The next move refuses these calls itself before it brings a room there.
  await logFailureOfRegion(call, async () => {
    const region = await call.services.connectRegion(call.input.targetRegionId, call.signal)
    await refuseCallsOf(region, [{ id: call.id, fence: call.mark.fence }], call.mark)
  })
}

async function confirmHome(call: RemovingCall, copy: Copy, homes: UnreachableHomes) {
  const home = await homeOf(call.services.db, copy)
  const unreachable = homes.get(home ?? 0)
  if (unreachable !== undefined) throw unreachable
  try {
    return await requireHome(call, copy)
  } catch (error) {
    if (home !== null && error instanceof RegionUnreachable) homes.set(home, error)
    throw error
  }
}

/** Starts the 20 minutes during which nothing is moved to this region. */
async function recordEnd(tx: Tx, { id, input }: OperationRecord<ForceDeleteInput>): Promise<void> {
  await tx.insertInto('forcedDeletions').values({ regionId: input.targetRegionId, operationId: id }).execute()
  await recordChange(tx, { kind: 'migration.changed', migrationId: input.migrationId })
}
