/**
 * Leaves the source after the switch: redirects its visitors and deletes its copy, but only after the target has
 * answered with the room, open for its users. The room does not wait for this: if one of the regions is unreachable, a
 * separate operation keeps trying for up to a week.
 */
import { because } from '@roomkeeper/contract'
import type { RegionClient, RoomInfo } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import {
  NotYet,
  noUndo,
  type OperationRecord,
  operation,
  outputOfStep,
  reasonsOf,
  type StepCall,
  StepFailed,
  step,
} from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { Refusal, refuse } from '#platform/refuse.ts'
import {
  findRedirect,
  isRegionError,
  logFailureOfRegion,
  refuseCallsOf,
  refuseOlderCalls,
  runRegionJob,
  stopRegionJob,
  withNextFence,
} from '#regions/index.ts'
import { type Copy, endAlarm, type Home, nameOfRegion, raiseAlarm, requireHome } from './check-home.ts'
import { type MoveProof, moveProof, proofOf, requireContentWhenMovedOn, requireMovedContent } from './copy.ts'
import { retryWhileRegionRefuses, startFollowUp } from './follow-up.ts'
import { connectTo, holderOf, type MoveCall, type MoveInput, movedRoom, moveInput, moveSteps } from './move-call.ts'
import { removeBackup } from './transfer.ts'

const leavingInput = z.object({
  roomId: z.uuid(),
  sourceRegionId: z.int(),
  /** The holder of the lock that may still be on the source. */
  holder: z.string(),
  /** The room's stored state before the move. */
  before: moveInput.shape.before,
  /** The move, with its last fence. */
  move: z.object({ id: z.uuid(), fence: z.int(), targetRegionId: z.int(), proof: moveProof }),
})
type LeavingInput = z.infer<typeof leavingInput>

const removal = 'remove-from-source'
/** The room's state in its present region; null if the room has been deleted. */
const roomElsewhere = z.object({ state: z.string().nullable() })
const removeSource = { id: 'remove-source', title: 'remove the room from the source', output: roomElsewhere }

export const leaveSource = operation<LeavingInput>({
  kind: 'migration.leave-source',
  version: 1,
  process: 'Delete PR',
  input: leavingInput,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    step<LeavingInput, z.infer<typeof roomElsewhere>>({
      ...removeSource,
      undo: stopRemoval,
      temporary: true,
      retry: { minutes: 7 * 24 * 60, longestPauseSeconds: 60 },
      async run(call) {
        const region = await call.services.connectRegion(call.input.sourceRegionId, call.signal)
        return retryWhileRegionRefuses(async () => {
          await refuseCallsOfMove(call, region)
          const { move } = call.input
          const abandoned = await leave(call, region, call.roomName, {
            ...call.input,
            proved: { ...move, ...move.proof },
          })
          await endCalls(call, region)
          return abandoned
        })
      },
    }),
  ],
  async done(tx, record) {
    const abandoned = await outputOfStep(tx, record.id, removeSource)
    if (abandoned !== null) await endAlarm(tx, { roomId: record.input.roomId, ...abandoned }, record)
  },
  failed: (tx, record, reasons, _, failureCode) =>
    raiseAlarm(tx, { roomId: record.input.roomId, reasons, failureCode }, record),
  cancelled: noUndo,
  async retrying(tx, { roomName, input }) {
    if (await mayBeInUse(tx, input))
      throw refuse('operation-not-retryable', { reason: because('room-perhaps-in-use-there', { room: roomName }) })
  },
})

/** The last step of a move. A failure here does not affect the room, which works in its target. */
export async function leaveSourceOrEnqueue(call: MoveCall): Promise<void> {
  try {
    // First, because the backup is not needed after the switch, and the rest depends on answers of the source.
    await removeBackup(call, 'target')
    if (!call.output(moveSteps.open).opened) throw new NotYet(because('target-not-open-yet'))
    const source = await connectTo(call, 'source')
    const proof = await proofOf(call.services.db, call)
    const { targetRegionId, before } = call.input
    const proved = { id: call.id, targetRegionId, ...proof }
    await leave(call, source, call.roomName, { ...leavingInputOf(call), proved }, before)
    await removeBackup(call, 'source')
    const move = { id: call.id, fence: call.mark.fence }
    await refuseCallsOf(source, [move], call.mark)
    await refuseCallsOf(await connectTo(call, 'target'), [move], call.mark)
  } catch (error) {
    call.signal.throwIfAborted()
    // Only failures of regions are left to a later operation.
    if (!(isRegionError(error) || error instanceof NotYet)) throw error
    await call.log([...reasonsOf(error), because('log-source-left-later')], 'warning')
    await call.finish((tx) => enqueueLeavingSource(tx, call))
  }
}

/** Also called when a move ends without having left its source. */
export async function enqueueLeavingSource(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  const [move] = await queryRows<{ fence: number }>(tx, 'select fence from operations where id = $1', [record.id])
  if (move === undefined) throw new Error('The move is gone.')
  const { targetRegionId } = record.input
  const proof = await proofOf(tx, record)
  const input = { ...leavingInputOf(record), move: { id: record.id, fence: move.fence, targetRegionId, proof } }
  const parts = { input, room: null, subject: record.roomName, regionId: input.sourceRegionId }
  await startFollowUp(tx, record, leaveSource, parts)
}

function leavingInputOf(record: OperationRecord<MoveInput>): Omit<LeavingInput, 'move'> {
  return {
    roomId: movedRoom(record).id,
    sourceRegionId: record.input.sourceRegionId,
    holder: holderOf(record),
    before: record.input.before,
  }
}

/** Calls of the move to the source, such as a removal or a resume, may still be on their way. */
async function refuseCallsOfMove(call: StepCall<LeavingInput>, source: RegionClient): Promise<void> {
  await refuseCallsOf(source, [call.input.move], call.mark)
}

/**
 * Refuses late calls of the move to its target and of this operation to the source. The room may have left the target
 * again, so an unreachable target does not delay anything.
 */
async function endCalls(call: StepCall<LeavingInput>, source: RegionClient): Promise<void> {
  const { move } = call.input
  try {
    await refuseCallsOf(await call.services.connectRegion(move.targetRegionId, call.signal), [move], call.mark)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!(isRegionError(error) || error instanceof Refusal)) throw error
    await call.log(reasonsOf(error), 'warning')
  }
  await refuseOlderCalls(source, withNextFence(call.mark))
}

type LeavingCall = Pick<StepCall<unknown>, 'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal' | 'services'>

/** What the move proved about its copy in the target. */
interface Proved extends MoveProof {
  id: string
  targetRegionId: number
}

/** `before`: the room's stored state before the move. */
type ProvedRoom = Proved & Pick<LeavingInput, 'before'>

/**
 * @param stored the room's intended state, if it differs from the one that the console has now
 * @returns the room's state in its present region
 */
async function leave(
  call: LeavingCall,
  region: RegionClient,
  name: string,
  input: Omit<LeavingInput, 'move'> & { proved: Proved },
  stored?: string,
): Promise<z.infer<typeof roomElsewhere>> {
  const { roomId, sourceRegionId: regionId, holder, before, proved } = input
  const abandoned = { roomId, name, regionId }
  const room = await requireHome(call, abandoned)
  if (room !== null) {
    // While a room is busy, the console does not know whether it should be open.
    const mayBeClosed = !['DEFAULT', 'IN_PROGRESS'].includes(stored ?? room.home.state)
    const isOpen = !room.info.locked && (mayBeClosed || room.info.state === 'active')
    if (!isOpen) throw new NotYet(because('room-not-open-yet', { region: room.home.name }))
    await requireProof(call, abandoned, room, { ...proved, before })
    const copy = await region.room(name)
    // The source was closed before the switch: if it is open, an operator opened it there.
    if (copy?.roomId === roomId && copy.state === 'active') throw new StepFailed(because('source-copy-open'))
  }
  const route = await findRedirect(call.services.db, { roomId, regionId })
  if (route !== null) {
    await region.putRoute(name, route.targetUrl, call.mark)
    await call.log([because('log-redirected', { url: route.targetUrl })])
  }
  const job = { type: 'deleteRoom', room: name, roomId, holder, keepRoute: route !== null } as const
  await runRegionJob(call, region, job, removal)
  return { state: room?.info.state ?? null }
}

/** @throws StepFailed with the code `lost` */
async function requireProof(
  call: LeavingCall,
  abandoned: Copy,
  { home, info }: { home: Home; info: RoomInfo },
  proved: ProvedRoom,
): Promise<void> {
  if (home.regionId !== proved.targetRegionId) return requireEarlierProof(call, home, proved)
  const target = await call.services.connectRegion(home.regionId, call.signal)
  const isClosed = async () => info.state === 'suspended'
  const room = { id: abandoned.roomId, name: abandoned.name }
  await requireMovedContent(call, target, {
    room,
    move: proved,
    home,
    abandoned,
    isClosed,
    // The room of a retried move had been lost, too; it shows no alarm while it is busy or waits for this clean-up.
    isInDoubt: (home.isLost || proved.attempt > 1) && (await isAsMoved(call, abandoned, proved)),
  })
}

/** True if neither the move nor an operator has opened or changed the room since, so that it holds what was moved. */
async function isAsMoved({ services }: LeavingCall, { roomId }: Copy, { id, before }: ProvedRoom): Promise<boolean> {
  if (before !== 'SUSPENDED') return false
  const changes = await queryRows(
    services.db,
    `select from operations
      where room_id = $1 and n > (select n from operations where id = $2)
        and parent_id is distinct from $2 and kind not in ('room.backup', 'room.backup-d2o', 'database.backup') limit 1`,
    [roomId, id],
  )
  return changes.length === 0
}

/** Does not wait for a region that the room has left: it may be gone for good or no longer registered. */
async function requireEarlierProof(call: LeavingCall, home: Home, proved: Proved): Promise<void> {
  const { targetRegionId } = proved
  const names = { target: await nameOfRegion(call.services.db, targetRegionId), home: home.name }
  try {
    const target = await call.services.connectRegion(targetRegionId, call.signal)
    await requireContentWhenMovedOn(call, target, proved, names)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!(isRegionError(error) || error instanceof Refusal)) throw error
    await call.log(reasonsOf(error), 'warning')
  }
}

/** Once this operation has ended, its late calls must not delete what a later move has brought to the source. */
async function stopRemoval(call: StepCall<LeavingInput>): Promise<void> {
  await logFailureOfRegion(call, async () => {
    const source = await call.services.connectRegion(call.input.sourceRegionId, call.signal)
    await refuseCallsOfMove(call, source)
    await stopRegionJob(call, source, removal)
  })
}

/** Whether the room is in the source or on its way there. */
async function mayBeInUse(tx: Tx, { roomId, sourceRegionId }: LeavingInput): Promise<boolean> {
  // The start of a move reserves capacity under the same lock, and then checks whether this operation is open.
  await queryRows(tx, 'select from regions where id = $1 for update', [sourceRegionId])
  const found = await queryRows(
    tx,
    `select id from rooms where id = $1 and region_id = $2
     union all select room_id from capacity_reservations where room_id = $1 and region_id = $2`,
    [roomId, sourceRegionId],
  )
  return found.length > 0
}
