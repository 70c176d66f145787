/**
 * Removes what failed migrations left in a target. A copy is removed only if it has the id of the room that was to be
 * moved, and if the console either has deleted that room or has it in another region, proved to be another server. A
 * copy that is open for users is kept: copies are closed until the switch, and the database may have lost the switch.
 *
 * The copies are the items of the operation, which works on them itself: an operation of its own would wait for the
 * room's other operations, which the copy has nothing to do with, and one log tells what became of all of them.
 */
import { because, type CodedReason, type Reasons } from '@roomkeeper/contract'
import { cleanText, type RegionClient, RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { recordChange } from '#changes/index.ts'
import {
  cancelWaitingItems,
  countItems,
  type ItemRoom,
  NotYet,
  type OperationRecord,
  operation,
  recordItem,
  retryFailedItems,
  type StepCall,
  StepFailed,
  shareOfItems,
  toldByRegion,
  waitingItems,
} from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { isRegionError, logFailureOfRegion, refuseCallsOf, removeCheckedCopy, startRemoval } from '#regions/index.ts'
import { parted } from '../selected-rooms.ts'
import { type Copy, type Home, requireHome } from './check-home.ts'
import { homeOf } from './move-call.ts'

const forceDeleteInput = z.object({
  migrationId: z.int(),
  targetRegionId: z.int(),
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
  async cancelled(tx, record) {
    await cancelWaitingItems(tx, record.id)
    await recordEnd(tx, record)
  },
  retrying: (tx, { id }) => retryFailedItems(tx, id),
})

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

async function removeCopies(call: RemovingCall): Promise<void> {
  const { db } = call.services
  const notYet: unknown[] = []
  const homes: UnreachableHomes = new Map()
  for (const room of await waitingItems(db, call.id)) {
    call.signal.throwIfAborted()
    const end = await endOfCopy(call, room, homes)
    if ('notYet' in end) notYet.push(end.notYet)
    else {
      const { isRemoved, ...outcome } = end
      await call.transaction(async (tx) => {
        if (isRemoved)
          await queryRows(tx, noteRemoved, [call.input.migrationId, room.roomId, call.input.targetRegionId])
        await recordItem(tx, { parentId: call.id, roomId: room.roomId, ...outcome })
      })
      await call.progress(shareOfItems(await countItems(db, call.id)))
    }
  }
  if (notYet.length > 0) throw notYet[0]
  const reasons = await whyKept(call)
  if (reasons.length > 0) throw new StepFailed(reasons)
}

const noteRemoved = `
  update live_migration_states set copy_removed = true
   where migration_id = $1 and room_id = $2 and target_region_id = $3 and outcome = 'failed'`

type CopyEnd =
  | { state: 'done'; reasons: null; isRemoved: boolean }
  | { state: 'failed'; reasons: Reasons; isRemoved: false }
  | { notYet: unknown }

/** @throws errors that do not concern this room only */
async function endOfCopy(call: RemovingCall, room: ItemRoom, homes: UnreachableHomes): Promise<CopyEnd> {
  const { roomName } = room
  try {
    const reason = await removeCopy(call, room, homes)
    await call.log([because('log-of-room', { room: roomName, reason })])
    const isRemoved = reason.code === 'log-room-removed' || reason.code === 'log-nothing-left'
    return { state: 'done', reasons: null, isRemoved }
  } catch (error) {
    if (error instanceof TargetUnreachable) throw error.reason
    if (error instanceof NotYet) return { notYet: error }
    if (error instanceof StepFailed) {
      const reasons = [because('log-room-kept', { room: roomName }), ...error.reasons]
      await call.log(reasons, 'error')
      return { state: 'failed', reasons, isRemoved: false }
    }
    if (!isRegionError(error)) throw error
    if (error.isTransient) return { notYet: error }
    // An obstacle of one room, such as a lock, says nothing about the others.
    const refused = because('log-room-refused', { room: roomName })
    await call.log([refused, toldByRegion(error)], 'error')
    const told = cleanText(error.message, longestReason)
    return { state: 'failed', reasons: [refused, because('told-by-region', { told })], isRemoved: false }
  }
}

/** Says for the copies that are left why they are, grouped by the cause. */
async function whyKept({ id, services: { db } }: RemovingCall): Promise<CodedReason[]> {
  const failed = await queryRows<{ roomName: string; reasons: Reasons | null }>(
    db,
    `select room_name, reasons from operation_items where parent_id = $1 and state = 'failed' order by position`,
    [id],
  )
  const names = {
    'perhaps-only-copies': [] as string[],
    'copies-open': [] as string[],
    'removal-refused': [] as string[],
  }
  for (const { roomName, reasons } of failed) {
    const [what, why] = reasons ?? []
    if (what?.code === 'log-room-refused') names['removal-refused'].push(`${roomName} ("${why?.params.told}")`)
    else names[why?.code === 'copy-open-compare' ? 'copies-open' : 'perhaps-only-copies'].push(roomName)
  }
  const codes = ['perhaps-only-copies', 'copies-open', 'removal-refused'] as const
  return codes.flatMap((code) => (names[code].length === 0 ? [] : [because(code, { reason: first(names[code]) })]))
}

const longestReason = 200

function first(names: readonly string[]): CodedReason {
  const { rooms, more } = parted(names)
  return more > 0 ? because('rooms-named-and-more', { rooms, more }) : because('rooms-named', { rooms })
}

/** @returns what became of the copy, for the log */
async function removeCopy(
  call: RemovingCall,
  { roomId, roomName: name }: ItemRoom,
  homes: UnreachableHomes,
): Promise<CodedReason> {
  const { targetRegionId } = call.input
  const inUse = await queryRows(
    call.services.db,
    `select id from rooms where id = $1 and region_id = $2
     union all select room_id from capacity_reservations where room_id = $1`,
    [roomId, targetRegionId],
  )
  if (inUse.length > 0) return because('log-kept-in-use')
  const region = await call.services.connectRegion(targetRegionId, call.signal)
  const removal = await startRemoval(call, region, `remove-${name}`).catch(targetUnreachable)
  const found = await region.room(name).catch(targetUnreachable)
  if (found === null) return because('log-nothing-left')
  if (found.roomId !== roomId) return because('log-kept-other')
  const seen = await confirmHome(call, { roomId, name, regionId: targetRegionId }, homes)
  if (seen !== null) {
    await requireOtherServer(call, region, { id: roomId, name }, seen.home)
    if (found.state === 'active') throw new StepFailed(because('copy-open-compare'))
  }
  const { existed } = await removeCheckedCopy(call, region, removal, {
    room: name,
    roomId,
    isListed: true,
  })
  return because(existed ? 'log-room-removed' : 'log-nothing-left')
}

/**
 * Proves that a copy in the target is not the room in use under another address of the same server. It locks the room
 * where it is in use under a unique holder, and asks the target whether its copy has that lock. A copy that has it is
 * the same room on the same server.
 * @throws StepFailed when the copy is, or may be, the same room
 */
async function requireOtherServer(
  call: RemovingCall,
  target: RegionClient,
  room: { id: string; name: string },
  home: Pick<Home, 'regionId' | 'name'>,
): Promise<void> {
  const region = await call.services.connectRegion(home.regionId, call.signal)
  const lock = { roomId: room.id, holder: `force delete ${call.id} ${call.attempt}` }
  await region.lockRoom(room.name, lock, call.mark).catch((error: unknown) => {
    if (!(error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:locked-by-another')) throw error
    throw new StepFailed(because('home-not-locked', { region: home.name, told: error.message }))
  })
  try {
    const found = await target.room(room.name)
    // A region that does not name the holder of a lock may be the same server.
    const isSame = found?.locked === true && (found.lock === null || found.lock.holder === lock.holder)
    if (isSame) throw new StepFailed(because('target-is-home', { region: home.name }))
  } finally {
    await region.unlockRoom(room.name, lock, call.mark)
  }
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
  await queryRows(tx, 'insert into forced_deletions (region_id, operation_id) values ($1, $2)', [
    input.targetRegionId,
    id,
  ])
  await recordChange(tx, { kind: 'migration.changed', migrationId: input.migrationId })
}
