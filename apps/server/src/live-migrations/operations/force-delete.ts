/**
 * Removes what failed migrations left in a target. A copy is removed only when it carries the id of the room that was
 * to be moved, and when the console has that room somewhere else, on what is proved to be another server, or has
 * deleted it. One that is open for users is kept: copies are closed until the switch, which the database may have lost.
 */
import { RegionUnreachable, shownText } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { NotYet, nothing, type OperationRecord, operation, type StepCall, StepFailed } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { announce } from '#platform/events.ts'
import { beginRemoval, isOfRegion, refuseAllOf, removeSeen } from '#regions/index.ts'
import type { RoomServices } from '#rooms/index.ts'
import { homeOf } from './move-call.ts'
import { mustBeAnother } from './prove-another.ts'
import { type Copy, mustBeElsewhere } from './see-elsewhere.ts'

const forceDeleteInput = z.object({
  migrationId: z.int(),
  targetRegionId: z.int(),
  rooms: z.array(z.object({ id: z.uuid(), name: z.string() })),
})
type ForceDeleteInput = z.infer<typeof forceDeleteInput>
type RemovingCall = StepCall<ForceDeleteInput, RoomServices>

export const forceDelete = operation<ForceDeleteInput, RoomServices>({
  kind: 'migration.force-delete',
  version: 1,
  process: 'Delete PR',
  input: forceDeleteInput,
  takesPlace: true,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [{ id: 'remove-copies', title: 'remove the copies from the target', run: removeCopies, undo: endRemovals }],
  done: noteEnd,
  failed: noteEnd,
  cancelled: noteEnd,
  retrying: nothing,
})

interface Settled {
  rooms: Set<string>
  kept: string[]
  open: string[]
  refused: string[]
}

/** The regions that could not be reached in this try, where the console has rooms: each is waited for once. */
type SilentHomes = Map<number, RegionUnreachable>

/** The target has no other answer about the other rooms. */
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

/** By step: one that is tried again goes on with the rooms of which nothing could be told yet. */
const settledBy = new WeakMap<RemovingCall, Settled>()

async function removeCopies(call: RemovingCall): Promise<void> {
  const { rooms } = call.input
  const settled = settledBy.get(call) ?? { rooms: new Set(), kept: [], open: [], refused: [] }
  settledBy.set(call, settled)
  const passing: unknown[] = []
  const homes: SilentHomes = new Map()
  for (const room of rooms.filter(({ id }) => !settled.rooms.has(id))) {
    call.signal.throwIfAborted()
    const error = await settle(call, room, { ...settled, homes })
    if (error === null) await call.progress(settled.rooms.size / rooms.length)
    else passing.push(error)
  }
  if (passing.length > 0) throw passing[0]
  const reasons = [
    ...(settled.kept.length > 0 ? [`Not removed, because it may be the only copy: ${first(settled.kept)}.`] : []),
    ...(settled.open.length > 0 ? [`Not removed, because it is open for users: ${first(settled.open)}.`] : []),
    ...(settled.refused.length > 0 ? [`Not removed, because the region refused: ${first(settled.refused)}.`] : []),
  ]
  if (reasons.length > 0) throw new StepFailed(reasons.join(' '))
}

/** @returns why nothing can be told of it yet; null: it is settled. @throws what is not about this room */
async function settle(
  call: RemovingCall,
  room: { id: string; name: string },
  { rooms, kept, open, refused, homes }: Settled & { homes: SilentHomes },
): Promise<unknown> {
  try {
    await call.log(`${room.name}: ${await removeCopy(call, room, homes)}`)
  } catch (error) {
    if (error instanceof TargetUnreachable) throw error.reason
    if (error instanceof NotYet) return error
    if (error instanceof StepFailed) {
      const reasons = error.sort === isOpen ? open : kept
      reasons.push(room.name)
      await call.log(`${room.name}: kept. ${error.message}`, 'error')
    } else if (!isOfRegion(error)) throw error
    else if (error.passing) return error
    else {
      // What stands in the way of one room, such as a lock, says nothing about the others.
      refused.push(`${room.name} (${shownText(error.message, longestReason)})`)
      await call.log(`${room.name}: the region refused. ${error.message}`, 'error')
    }
  }
  rooms.add(room.id)
  return null
}

/** Why a copy is kept, for the summary. */
const isOpen = 'open'

const mostNamed = 20
const longestReason = 200

function first(names: readonly string[]): string {
  const more = names.length - mostNamed
  return names.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more; the log says which` : '')
}

/** @returns what became of it, for the log */
async function removeCopy(call: RemovingCall, room: { id: string; name: string }, homes: SilentHomes): Promise<string> {
  const { targetRegionId } = call.input
  const inUse = await queryRows(
    call.services.db,
    `select id from rooms where id = $1 and region_id = $2
     union all select room_id from reserved_places where room_id = $1`,
    [room.id, targetRegionId],
  )
  if (inUse.length > 0) return 'kept, it is in use or on its way'
  const region = await call.services.connectRegion(targetRegionId, call.signal)
  const removal = await beginRemoval(call, region, `remove-${room.name}`).catch(targetUnreachable)
  const found = await region.room(room.name).catch(targetUnreachable)
  if (found === null) return 'nothing is left of it'
  if (found.roomId !== room.id) return 'kept, it is another project room of this name'
  const seen = await seeElsewhere(call, { roomId: room.id, name: room.name, regionId: targetRegionId }, homes)
  if (seen !== null) {
    await mustBeAnother(call, region, room, seen.home)
    if (found.state === 'active')
      throw new StepFailed("It is open for users and may be in use; the doctor's Remove copy compares both.", isOpen)
  }
  const { existed } = await removeSeen(call, region, removal, { room: room.name, roomId: room.id, seen: true })
  return existed ? 'removed' : 'nothing is left of it'
}

/** No removal that is still on its way removes what a later move has brought there. */
async function endRemovals(call: RemovingCall): Promise<void> {
  try {
    const region = await call.services.connectRegion(call.input.targetRegionId, call.signal)
    await refuseAllOf(region, { id: call.id, fence: call.mark.fence }, call.mark)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isOfRegion(error)) throw error
    // A move does it before it brings a room there.
    await call.log(error.message, 'warning')
  }
}

async function seeElsewhere(call: RemovingCall, copy: Copy, homes: SilentHomes) {
  const home = await homeOf(call.services.db, copy)
  const silent = homes.get(home ?? 0)
  if (silent !== undefined) throw silent
  try {
    return await mustBeElsewhere(call, copy)
  } catch (error) {
    if (home !== null && error instanceof RegionUnreachable) homes.set(home, error)
    throw error
  }
}

/** Nothing is moved to this region for a while: see the 20 minutes of the start. */
async function noteEnd(tx: Tx, { id, input }: OperationRecord<ForceDeleteInput>): Promise<void> {
  await tx.insertInto('forcedDeletions').values({ regionId: input.targetRegionId, operationId: id }).execute()
  await announce(tx, { type: 'migration', id: input.migrationId })
}
