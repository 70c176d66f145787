/**
 * What is left to do in the source once a room is in the target: redirect its visitors, remove its copy. The room does
 * not wait for it: where the source cannot be reached, this becomes an operation of its own, for as long as a week.
 */
import { type RegionClient, RegionRefusal } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { nothing, operation, type StepCall, StepFailed } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { findRoomRoute, runRegionJob } from '#regions/index.ts'
import type { RoomServices } from '#rooms/index.ts'
import { backupOf } from './copy-room.ts'
import { connectTo, holderOf, type MoveCall, movedRoom } from './move-call.ts'

const leaveInput = z.object({
  roomId: z.uuid(),
  sourceRegionId: z.int(),
  /** Whose lock may still be on the source. */
  holder: z.string(),
})
type LeaveInput = z.infer<typeof leaveInput>

export const leaveSource = operation<LeaveInput, RoomServices>({
  kind: 'migration.leave-source',
  version: 1,
  process: 'Delete PR',
  input: leaveInput,
  takesPlace: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    {
      name: 'remove the room from the source',
      undo: nothing,
      retry: { minutes: 7 * 24 * 60, longestPauseSeconds: 60 },
      async run(call) {
        const region = await call.services.connectRegion(call.input.sourceRegionId, call.signal)
        await leave(call, region, call.roomName, call.input)
      },
    },
  ],
  done: nothing,
  failed: nothing,
  cancelled: nothing,
  async retrying(tx, { roomName, input }) {
    if (await mayBeInUse(tx, input))
      throw refuse('operation-not-retryable', { reason: `The project room ${roomName} may be in use there again.` })
  },
})

/** The last step of a move. Whatever stands in the way, the room itself is well in its target. */
export async function leaveOrHandOver(call: MoveCall): Promise<void> {
  const { id: roomId, name } = movedRoom(call)
  const input = { roomId, sourceRegionId: call.input.sourceRegionId, holder: holderOf(call) }
  try {
    const source = await connectTo(call, 'source')
    await leave(call, source, name, input)
    await forgetBackup(call, source)
  } catch (error) {
    call.signal.throwIfAborted()
    // Only the region's own troubles are left to a later operation.
    if (!(error instanceof Error) || !isOfRegion(error)) throw error
    await call.log(`${error.message} The source is left by an operation of its own.`, 'warning')
    await call.finish((tx) =>
      call
        .start(tx, leaveSource, { input, room: null, subject: name, regionId: input.sourceRegionId })
        .then(() => undefined),
    )
  }
}

/** Both regions would keep it for two days. */
async function forgetBackup(call: MoveCall, source: RegionClient): Promise<void> {
  const { file } = backupOf(call)
  const target = await connectTo(call, 'target')
  await Promise.allSettled([source.deleteFile(file, call.mark), target.deleteFile(file, call.mark)])
}

function isOfRegion(error: Error): boolean {
  return ['RegionRefusal', 'RegionUnreachable', 'RegionJobFailed'].includes(error.name) && !isOvertaken(error)
}

function isOvertaken(error: Error): boolean {
  return error instanceof RegionRefusal && error.type === 'urn:roomkeeper-region:overtaken'
}

type LeaveCall = Pick<
  StepCall<unknown, RoomServices>,
  'id' | 'attempt' | 'mark' | 'log' | 'progress' | 'signal' | 'services'
>

async function leave(call: LeaveCall, region: RegionClient, name: string, input: LeaveInput): Promise<void> {
  const { roomId, sourceRegionId: regionId, holder } = input
  if (await isHome(call, input)) throw new StepFailed('The project room is in use there again: nothing is removed.')
  const route = await findRoomRoute(call.services.db, { roomId, regionId })
  if (route !== null) {
    await region.putRoute(name, route.targetUrl, call.mark)
    await call.log(`visitors are redirected to ${route.targetUrl}`)
  }
  const job = { type: 'deleteRoom', room: name, roomId, holder, keepRoute: route !== null } as const
  await runRegionJob(call, region, job, 'remove-from-source')
}

async function isHome({ services }: LeaveCall, { roomId, sourceRegionId }: LeaveInput): Promise<boolean> {
  const found = await queryRows(services.db, 'select from rooms where id = $1 and region_id = $2', [
    roomId,
    sourceRegionId,
  ])
  return found.length > 0
}

/** The room is there, or on its way. */
async function mayBeInUse(tx: Tx, { roomId, sourceRegionId }: LeaveInput): Promise<boolean> {
  const found = await queryRows(
    tx,
    `select id from rooms where id = $1 and region_id = $2
     union all select room_id from reserved_places where room_id = $1 and region_id = $2`,
    [roomId, sourceRegionId],
  )
  return found.length > 0
}
