/**
 * Backs a room up and brings the backup to the target, in one of two ways. Direct: the source packs the room straight
 * into the target's files and stores nothing. Through the console: the source stores the backup, and this process streams
 * it to the target without storing it. What both regions say they can do decides. Where the direct way fails, the backup
 * takes the other one.
 */
import { because } from '@roomkeeper/contract'
import {
  type CallMark,
  type Capability,
  NotARegion,
  type RegionClient,
  type RegionFileSource,
  RegionJobFailed,
  RegionRefusal,
  type UploadAddress,
} from '@roomkeeper/region-protocol'
import { toldByRegion } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'
import { isLoopback, isRegionError, runRegionJob, stateOfJob, stopRegionJob } from '#regions/index.ts'
import { whileLocked } from './hold-locks.ts'
import { type BackupFile, connectTo, type MoveCall, movedRoom, moveJobs, moveSteps, type Side } from './move-call.ts'

export function backUp(call: MoveCall): Promise<BackupFile> {
  return whileLocked(call, ['source'], async () => {
    const source = await connectTo(call, 'source')
    // Asked anew, because a region may have been updated since this process signed in.
    const { capabilities } = await source.status()
    const { id: roomId, name: room } = movedRoom(call)
    const job = { type: 'backupRoom', room, roomId } as const
    const digest = capabilities.includes('digest') ? { digest: true as const } : {}
    // An earlier try of this step may have found out; its output does not say so yet.
    const hasFailed = (await stateOfJob(call, source, moveJobs.direct)) === 'failed'
    const to = capabilities.includes('sendBackup') && !hasFailed ? await uploadForSource(call) : null
    const direct = to === null ? null : await packInto(call, source, { ...job, ...digest, to })
    if (direct !== null) return direct
    const stored = await runRegionJob(call, source, job, moveJobs.backup)
    return to === null && !hasFailed ? stored : { ...stored, directFailed: true }
  })
}

export async function stopBackup(call: MoveCall): Promise<void> {
  // This comes first, because without a ticket the source can send nothing more, regardless of its answer.
  await removeFromTarget(call)
  const source = await connectTo(call, 'source')
  await stopRegionJob(call, source, moveJobs.direct)
  await stopRegionJob(call, source, moveJobs.backup)
}

/** Streams the backup to the target, unless the source has packed it there. */
export async function bringBackup(call: MoveCall, backup: BackupFile): Promise<void> {
  if (backup.inTarget) return
  const [source, target] = await Promise.all([connectTo(call, 'source'), connectTo(call, 'target')])
  await target.putFile(backup.file, sourceOf(call, source, backup), call.mark)
}

/** Without this, the region would keep the backup for two days, and still accept an upload with its ticket. */
export async function removeBackup(call: MoveCall, side: Side): Promise<void> {
  const { file, inTarget } = call.output(moveSteps.backUp)
  if (inTarget && side === 'source') return
  const files = new Set([file, ...directFilesOf(call)])
  await Promise.allSettled([...files].map(async (each) => (await connectTo(call, side)).deleteFile(each, call.mark)))
}

/**
 * An upper limit for the backup of a room of this size. Only the source tells the size: if it is wrong, the ticket
 * allows as much as the target has space for, but only while the move lasts.
 */
const sizeAtMost = (bytes: number) => 2 * bytes + 64 * 1024 * 1024

/** Null: the target takes no backup from the source, or the source cannot send one there. */
async function uploadForSource(call: MoveCall): Promise<UploadAddress | null> {
  const url = await addressForSource(call)
  if (url === null || (await hasFailedLately(call))) return null
  const file = directFileOf(call)
  try {
    const target = await connectTo(call, 'target')
    if (!(await can(target, 'receiveBackup'))) return null
    const { bytes } = call.output(moveSteps.lockSource)
    const { ticket } = await target.openUpload(file, { sizeAtMost: sizeAtMost(bytes) }, call.mark)
    return { url, file, ticket }
  } catch (error) {
    call.signal.throwIfAborted()
    // A target that does not answer is waited for by the steps that need it.
    if (!isRegionError(error)) throw error
    return null
  }
}

async function can(region: RegionClient, capability: Capability): Promise<boolean> {
  return (await region.status()).capabilities.includes(capability)
}

/** The target's address; null if the source is on another machine, where that address leads to another program. */
async function addressForSource({ input, services }: MoveCall): Promise<string | null> {
  const [urls] = await queryRows<{ source: string; target: string }>(
    services.db,
    'select s.url as source, t.url as target from regions s, regions t where s.id = $1 and t.id = $2',
    [input.sourceRegionId, input.targetRegionId],
  )
  if (urls === undefined) throw new Error('A region of the move is gone.')
  return isLoopback(urls.target) && !isLoopback(urls.source) ? null : urls.target
}

/** Between regions that cannot reach each other, each room of a run would wait for the direct way to fail. */
async function hasFailedLately({ input, services }: MoveCall): Promise<boolean> {
  const { sourceRegionId, targetRegionId } = input
  return (await queryRows(services.db, recentFailures, [sourceRegionId, targetRegionId])).length > 0
}

const recentFailures = `select from operation_steps step join operations move on move.id = step.operation_id
    where step.region_id = $1 and step.process_type is not null
      and step.started_at > now() - interval '1 day' and step.ended_at > now() - interval '10 minutes'
      and step.output ? 'directFailed'
      and (move.input ->> 'targetRegionId')::int = $2 limit 1`

interface DirectJob {
  type: 'backupRoom'
  room: string
  roomId: string
  digest?: true
  to: UploadAddress
}

/** Null: the direct way has failed, and nothing of it is left. */
async function packInto(call: MoveCall, source: RegionClient, job: DirectJob): Promise<BackupFile | null> {
  try {
    const { file, size, sha256, ...made } = await runRegionJob(call, source, job, moveJobs.direct)
    // A source that has stored the backup instead would keep it for two days.
    if (file !== job.to.file) await source.deleteFile(file, call.mark)
    await requireInTarget(call, { file: job.to.file, size, sha256 })
    return { ...made, file: job.to.file, size, sha256, inTarget: true }
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isOfTheWay(error)) throw error
    await call.log([toldByRegion(error), because('log-by-way-of-console')], 'warning')
  }
  // First, because without a ticket the source can send nothing more, even if it does not answer below.
  await removeFromTarget(call, call.mark)
  // It may still be sending: the jobs of a room run one after another.
  await stopRegionJob(call, source, moveJobs.direct)
  return null
}

/**
 * The source alone does not decide that: what is not there could not be restored.
 * @throws RegionRefusal when the target has no such file
 */
async function requireInTarget(call: MoveCall, { file, size, sha256 }: BackupFile): Promise<void> {
  const target = await connectTo(call, 'target')
  // The target gives the last byte of a file only if it has this digest.
  const last = await target.getFile(file, { size, sha256, firstByte: size - 1, signal: call.signal })
  await last.content.toArray()
}

/**
 * Whether the way through the console may succeed. Not if the source is silent: it may be sending, and a retry finds
 * it.
 */
function isOfTheWay(error: unknown): error is RegionJobFailed | RegionRefusal | NotARegion {
  if (error instanceof RegionJobFailed) return error.type === 'urn:roomkeeper-region:file-not-sent'
  return error instanceof RegionRefusal || error instanceof NotARegion
}

/**
 * Removes what was packed straight into the target, and ends its tickets and an upload that is under way; otherwise the
 * target would keep the file for two days. A target that does not answer fails nothing.
 * @param mark none in an undo: that of the copy has the target refuse the calls of this move
 */
async function removeFromTarget(call: MoveCall, mark?: CallMark): Promise<void> {
  try {
    for (const file of directFilesOf(call)) await (await connectTo(call, 'target')).deleteFile(file, mark)
  } catch (error) {
    call.signal.throwIfAborted()
    if (!isRegionError(error)) throw error
  }
}

/** The files that this move may have packed straight into the target. */
function directFilesOf({ id, attempt }: MoveCall): string[] {
  return Array.from({ length: attempt }, (_, before) => directFileOf({ id, attempt: attempt - before }))
}

/** The same in each try, so that a repeated step finds the job that it has started. */
function directFileOf({ id, attempt }: Pick<MoveCall, 'id' | 'attempt'>): string {
  return `${id}-${attempt}-direct`
}

/** Which share of the step the transfer is. */
const shareOfTransfer = 0.5
const reportMilliseconds = 1000

function sourceOf(call: MoveCall, region: RegionClient, { file, size, sha256 }: BackupFile): RegionFileSource {
  return {
    size,
    sha256,
    async *open(firstByte, signal) {
      let passed = firstByte
      let reportedAt = performance.now()
      const { content } = await region.getFile(file, { size, sha256, firstByte, signal })
      for await (const chunk of content as AsyncIterable<Uint8Array>) {
        call.signal.throwIfAborted()
        passed += chunk.byteLength
        yield chunk
        if (performance.now() - reportedAt < reportMilliseconds) continue
        reportedAt = performance.now()
        await call.progress((shareOfTransfer * passed) / size)
      }
    },
  }
}
