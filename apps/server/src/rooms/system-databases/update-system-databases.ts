/**
 * Updates the system databases of all rooms, or of all rooms of one region, with a separate operation for each room.
 * The log reports the outcome. If a room could not be updated, the whole update fails, so that it can be retried.
 */
import { because, type CodedReason, englishReason } from '@roomkeeper/contract'
import { z } from 'zod'
import { openChildren, operation, type StepCall, startOperation } from '#operations/index.ts'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { pause } from '#platform/pause.ts'
import { refuse } from '#platform/refuse.ts'
import { updateRooms } from './update-rooms.ts'

const kind = 'system-databases.update'
const input = z.object({})
type Input = z.infer<typeof input>

export const updateSystemDatabases = operation<Input>({
  kind,
  version: 1,
  process: 'Update system DB',
  input,
  takesSlot: false,
  whenFailed: 'keep',
  managedBy: 'admin',
  steps: [
    {
      id: 'update-rooms',
      title: 'update the project rooms',
      run: updateRooms,
      undo: cancelRemaining,
      retry: { minutes: Number.POSITIVE_INFINITY, longestPauseSeconds: 5 },
    },
  ],
  async done() {},
  async failed() {},
  async cancelled() {},
  retrying: (tx, { id, regionId }) => refuseIfRunning(tx, regionId, id),
})

export interface UpdateStart {
  /** Null stands for all regions. */
  regionId: number | null
  startedBy: string
  requestId: string | null
}

/** @throws Refusal `region-unknown`, `update-running` */
export async function startUpdate(
  tx: Tx,
  { regionId, startedBy, requestId }: UpdateStart,
): Promise<{ operationId: string; subject: CodedReason }> {
  const subject = await subjectOf(tx, regionId)
  await refuseIfRunning(tx, regionId, null)
  const parts = { input: {}, room: null, subject: englishReason(subject), regionId, startedBy, requestId }
  return { operationId: await startOperation(tx, updateSystemDatabases, parts), subject }
}

async function subjectOf(tx: Tx, regionId: number | null): Promise<CodedReason> {
  if (regionId === null) return because('audit-all-rooms')
  const region = await tx.selectFrom('regions').select('name').where('id', '=', regionId).executeTakeFirst()
  if (region === undefined) throw refuse('region-unknown', { region: regionId })
  return because('audit-all-rooms-of', { region: region.name })
}

/** Two updates that share a region would only wait for each other's rooms. */
async function refuseIfRunning(tx: Tx, regionId: number | null, except: string | null): Promise<void> {
  await lockUntilCommit(tx, 'updates of system databases')
  const running = await queryRows(
    tx,
    `select from operations where kind = $1 and state in ('waiting', 'running', 'cancelling')
        and ($2::int is null or region_id is null or region_id = $2) and id is distinct from $3 limit 1`,
    [kind, regionId, except],
  )
  if (running.length > 0) throw refuse('update-running')
}

/** Cancels the updates that are waiting and lets the running ones finish. Updated rooms stay updated. */
async function cancelRemaining(call: StepCall<Input>): Promise<void> {
  for (;;) {
    const { waiting, open } = await openChildren(call.services.db, call.id)
    if (open === 0) return
    if (waiting > 0) await call.cancelWaiting()
    await pause(200, call.signal)
    call.signal.throwIfAborted()
  }
}
