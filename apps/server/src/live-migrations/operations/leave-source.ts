/**
 * What is left to do in the source once a room is in the target: redirect its visitors, remove its copy. That happens
 * only after the target has answered with the room, open for its users. The room does not wait for it: where one of the
 * regions cannot be reached, this becomes an operation of its own, for as long as a week.
 */
import { because } from '@roomkeeper/contract'
import type { RegionClient, RoomInfo } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import {
  NotYet,
  nothing,
  type OperationRecord,
  operation,
  outputOfStep,
  type StepCall,
  StepFailed,
  step,
} from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { Refusal, refuse } from '#platform/refuse.ts'
import {
  above,
  findRedirect,
  isOfRegion,
  refuseAllOf,
  refuseBelow,
  runRegionJob,
  stopRegionJob,
} from '#regions/index.ts'
import type { RoomServices } from '#rooms/index.ts'
import { endAlarm, raiseAlarm } from './lost-room.ts'
import { connectTo, holderOf, type MoveCall, type MoveInput, movedRoom, moveInput } from './move-call.ts'
import { moveSteps } from './move-steps.ts'
import { isLeftClosed } from './open-target.ts'
import { type MoveProof, moveProof, mustHaveHeldWhatWasMoved, mustHoldWhatWasMoved, proofOf } from './prove-moved.ts'
import { untilTheRegionCan } from './region-troubles.ts'
import { type Copy, type Home, mustBeElsewhere, nameOfRegion } from './see-elsewhere.ts'
import { startOnceFor } from './start-once-for.ts'

const leaveInput = z.object({
  roomId: z.uuid(),
  sourceRegionId: z.int(),
  /** Whose lock may still be on the source. */
  holder: z.string(),
  /** The room's stored state before the move; those of an earlier version do not say. */
  before: moveInput.shape.before.optional(),
  /** That of the move which left it, with its last fence; those of an earlier version do not say. */
  move: z.object({ id: z.uuid(), fence: z.int(), targetRegionId: z.int(), proof: moveProof.optional() }).optional(),
})
type LeaveInput = z.infer<typeof leaveInput>

const removal = 'remove-from-source'
/** In which state the room is where it is now; null: it is nowhere any more. */
const roomElsewhere = z.object({ state: z.string().nullable() })
const removeSource = { id: 'remove-source', title: 'remove the room from the source', output: roomElsewhere }

export const leaveSource = operation<LeaveInput, RoomServices>({
  kind: 'migration.leave-source',
  version: 1,
  process: 'Delete PR',
  input: leaveInput,
  takesPlace: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    step<LeaveInput, RoomServices, z.infer<typeof roomElsewhere>>({
      ...removeSource,
      undo: stopRemoval,
      temporary: true,
      retry: { minutes: 7 * 24 * 60, longestPauseSeconds: 60 },
      async run(call) {
        const region = await call.services.connectRegion(call.input.sourceRegionId, call.signal)
        return untilTheRegionCan(async () => {
          await endMove(call, region)
          const { move } = call.input
          const proved = move?.proof === undefined ? undefined : { ...move, ...move.proof }
          const left = await leave(call, region, call.roomName, { ...call.input, proved })
          await endCalls(call, region)
          return left
        })
      },
    }),
  ],
  async done(tx, { id, input }) {
    const left = await outputOfStep(tx, id, removeSource)
    if (left !== null) await endAlarm(tx, { roomId: input.roomId, ...left })
  },
  failed: (tx, { input }, reason, _, sort) => raiseAlarm(tx, { roomId: input.roomId, reason, sort }),
  cancelled: nothing,
  async retrying(tx, { roomName, input }) {
    if (await mayBeInUse(tx, input))
      throw refuse('operation-not-retryable', { reason: because('room-perhaps-in-use-there', { room: roomName }) })
  },
})

/** The last step of a move. Whatever stands in the way, the room itself is well in its target. */
export async function leaveOrHandOver(call: MoveCall): Promise<void> {
  try {
    if (isLeftClosed(call)) throw new NotYet('The project room in the target is not open for its users yet.')
    const source = await connectTo(call, 'source')
    const proof = await proofOf(call.services.db, call)
    const { targetRegionId, before } = call.input
    const proved = proof === undefined ? undefined : { id: call.id, targetRegionId, ...proof }
    await leave(call, source, call.roomName, { ...leaveInputOf(call), proved }, before)
    await forgetBackup(call, source)
    const move = { id: call.id, fence: call.mark.fence }
    await refuseAllOf(source, move, call.mark)
    await refuseAllOf(await connectTo(call, 'target'), move, call.mark)
  } catch (error) {
    call.signal.throwIfAborted()
    // Only what regions cannot do now is left to a later operation.
    if (!(isOfRegion(error) || error instanceof NotYet)) throw error
    await call.log(`${error.message} The source is left by an operation of its own.`, 'warning')
    await call.finish((tx) => leaveSourceLater(tx, call))
  }
}

/** Also for a move that ends without having looked after its source. */
export async function leaveSourceLater(tx: Tx, record: OperationRecord<MoveInput>): Promise<void> {
  const [move] = await queryRows<{ fence: number }>(tx, 'select fence from operations where id = $1', [record.id])
  const { targetRegionId } = record.input
  const proof = await proofOf(tx, record)
  const input = {
    ...leaveInputOf(record),
    ...(move === undefined ? {} : { move: { id: record.id, fence: move.fence, targetRegionId, proof } }),
  }
  const parts = { input, room: null, subject: record.roomName, regionId: input.sourceRegionId }
  await startOnceFor(tx, record, leaveSource, parts)
}

function leaveInputOf(record: OperationRecord<MoveInput>): Omit<LeaveInput, 'move'> {
  return {
    roomId: movedRoom(record).id,
    sourceRegionId: record.input.sourceRegionId,
    holder: holderOf(record),
    before: record.input.before,
  }
}

/** Its own removal of the room here, and what opens or closes the room, may still be on its way. */
async function endMove(call: StepCall<LeaveInput, RoomServices>, source: RegionClient): Promise<void> {
  if (call.input.move !== undefined) await refuseAllOf(source, call.input.move, call.mark)
}

/**
 * Nor is anything obeyed any more that the move has sent to its target, or this here. The room may have gone on from the
 * target, so nothing waits for that.
 */
async function endCalls(call: StepCall<LeaveInput, RoomServices>, source: RegionClient): Promise<void> {
  const { move } = call.input
  if (move !== undefined) {
    try {
      await refuseAllOf(await call.services.connectRegion(move.targetRegionId, call.signal), move, call.mark)
    } catch (error) {
      call.signal.throwIfAborted()
      if (!(isOfRegion(error) || error instanceof Refusal)) throw error
      await call.log(error.message, 'warning')
    }
  }
  await refuseBelow(source, above(call.mark))
}

/** Both regions would keep it for two days. */
async function forgetBackup(call: MoveCall, source: RegionClient): Promise<void> {
  const { file } = call.output(moveSteps.backUp)
  const target = await connectTo(call, 'target')
  await Promise.allSettled([source.deleteFile(file, call.mark), target.deleteFile(file, call.mark)])
}

type LeaveCall = Pick<
  StepCall<unknown, RoomServices>,
  'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal' | 'services'
>

/** What the move has proved of its copy in the target. */
interface Proved extends MoveProof {
  id: string
  targetRegionId: number
}

/** `before`: the room's stored state then. */
type ProvedRoom = Proved & Pick<LeaveInput, 'before'>

/**
 * @param stored the state in which the room is to be, where another than the console says now
 * @returns in which state the room is where it is now
 */
async function leave(
  call: LeaveCall,
  region: RegionClient,
  name: string,
  input: Omit<LeaveInput, 'move'> & { proved: Proved | undefined },
  stored?: string,
): Promise<z.infer<typeof roomElsewhere>> {
  const { roomId, sourceRegionId: regionId, holder, before, proved } = input
  const left = { roomId, name, regionId }
  const room = await mustBeElsewhere(call, left)
  if (room !== null) {
    // Of a busy room the console does not say whether it is to be open; it does when the room is not busy any more.
    const mayBeClosed = !['DEFAULT', 'IN_PROGRESS'].includes(stored ?? room.home.state)
    const isOpen = !room.info.locked && (mayBeClosed || room.info.state === 'active')
    if (!isOpen) throw new NotYet(`The project room in ${room.home.name} is not open for its users yet.`)
    if (proved !== undefined) await mustBeProved(call, left, room, { ...proved, before })
    const copy = await region.room(name)
    // Closed before the switch: nobody but its users' region opens it again.
    if (copy?.roomId === roomId && copy.state === 'active')
      throw new StepFailed('The copy in the source is open for users: nothing is removed.')
  }
  const route = await findRedirect(call.services.db, { roomId, regionId })
  if (route !== null) {
    await region.putRoute(name, route.targetUrl, call.mark)
    await call.log(`visitors are redirected to ${route.targetUrl}`)
  }
  const job = { type: 'deleteRoom', room: name, roomId, holder, keepRoute: route !== null } as const
  await runRegionJob(call, region, job, removal)
  return { state: room?.info.state ?? null }
}

/** @throws StepFailed of the sort `lost` */
async function mustBeProved(
  call: LeaveCall,
  left: Copy,
  { home, info }: { home: Home; info: RoomInfo },
  proved: ProvedRoom,
): Promise<void> {
  if (home.regionId !== proved.targetRegionId) return mustHaveBeenProved(call, home, proved)
  const target = await call.services.connectRegion(home.regionId, call.signal)
  const isClosed = async () => info.state === 'suspended'
  const room = { id: left.roomId, name: left.name }
  await mustHoldWhatWasMoved(call, target, {
    room,
    move: proved,
    home,
    left,
    isClosed,
    // A move that is tried again had been lost, too; its room is busy now, or waits to be left without the alarm.
    isInDoubt: (home.isLost || proved.attempt > 1) && (await isAsMoved(call, left, proved)),
  })
}

/** Neither the move nor an operator has opened it, or changed it since: it holds what was moved. */
async function isAsMoved({ services }: LeaveCall, { roomId }: Copy, { id, before }: ProvedRoom): Promise<boolean> {
  if (before !== 'SUSPENDED') return false
  const changes = await queryRows(
    services.db,
    `select from operations
      where room_id = $1 and created_at > (select created_at from operations where id = $2)
        and parent_id is distinct from $2 and kind not in ('room.backup', 'room.backup-d2o', 'database.backup') limit 1`,
    [roomId, id],
  )
  return changes.length === 0
}

/** Nothing waits for a region that the room has left; it may be away for good, or be no region of ours any more. */
async function mustHaveBeenProved(call: LeaveCall, home: Home, proved: Proved): Promise<void> {
  const { targetRegionId } = proved
  const names = { target: await nameOfRegion(call.services.db, targetRegionId), home: home.name }
  try {
    const target = await call.services.connectRegion(targetRegionId, call.signal)
    await mustHaveHeldWhatWasMoved(call, target, proved, names)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!(isOfRegion(error) || error instanceof Refusal)) throw error
    await call.log(error.message, 'warning')
  }
}

/** Once it has ended, no call that is still on its way removes what a later move has brought there. */
async function stopRemoval(call: StepCall<LeaveInput, RoomServices>): Promise<void> {
  try {
    const source = await call.services.connectRegion(call.input.sourceRegionId, call.signal)
    await endMove(call, source)
    await stopRegionJob(call, source, removal)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isOfRegion(error)) throw error
    await call.log(error.message, 'warning')
  }
}

/** The room is there, or on its way. */
async function mayBeInUse(tx: Tx, { roomId, sourceRegionId }: LeaveInput): Promise<boolean> {
  // A room that begins to move takes its place under the same lock, and then looks whether this is open.
  await queryRows(tx, 'select from regions where id = $1 for update', [sourceRegionId])
  const found = await queryRows(
    tx,
    `select id from rooms where id = $1 and region_id = $2
     union all select room_id from reserved_places where room_id = $1 and region_id = $2`,
    [roomId, sourceRegionId],
  )
  return found.length > 0
}
