/**
 * Brings the backup of a room from its source to its target. The source sends it straight to the target, with a ticket
 * that the target has given for this one file. Where a region cannot do that, or the two cannot reach each other, the
 * file is streamed through this process instead, and not stored here.
 */
import { because } from '@roomkeeper/contract'
import {
  NotARegion,
  type RegionClient,
  type RegionFileSource,
  RegionJobFailed,
  RegionRefusal,
} from '@roomkeeper/region-protocol'
import { toldByRegion } from '#operations/index.ts'
import { isUnknownJob, runRegionJob, stopRegionJob } from '#regions/index.ts'
import { addressForSource, hasFailedLately, noteFailure } from './direct-way.ts'
import { type MoveCall, movedRoom } from './move-call.ts'
import { type BackupFile, moveJobs } from './move-steps.ts'

interface Regions {
  source: RegionClient
  target: RegionClient
}

/** Which share of the step the transfer is. */
const shareOfTransfer = 0.5

export async function bringFile(call: MoveCall, regions: Regions, backup: BackupFile): Promise<void> {
  if (await sendDirectly(call, regions, backup)) return
  // The source may still be sending since an earlier try, or behind a proxy that failed: of two uploads the newer one
  // ends the other.
  await stopRegionJob(call, regions.source, moveJobs.send)
  await regions.target.putFile(backup.file, sourceOf(call, regions.source, backup), call.mark)
}

async function sendDirectly(call: MoveCall, { source, target }: Regions, backup: BackupFile): Promise<boolean> {
  if (hasFailedLately(call, 'send')) return false
  const url = await addressForSource(call)
  if (url === null) return false
  try {
    const ticket = await target.openUpload(backup.file, backup, call.mark)
    if (ticket === null || ticket.complete) return ticket !== null
    const { id: roomId, name: room } = movedRoom(call)
    const { file } = backup
    const to = { url, file, ticket: ticket.ticket }
    const sending = { ...call, progress: (done: number) => call.progress(shareOfTransfer * done) }
    await runRegionJob(sending, source, { type: 'sendFile', room, roomId, file, to }, moveJobs.send)
    return true
  } catch (error) {
    call.signal.throwIfAborted()
    if (!mayGoByConsole(error)) throw error
    noteFailure(call, 'send')
    if (!isUnknownJob(error)) await call.log([toldByRegion(error), because('log-by-way-of-console')], 'warning')
    return false
  }
}

/** A region that cannot be reached is no reason: the job may be under way there, and is found again. */
function mayGoByConsole(error: unknown): error is RegionJobFailed | RegionRefusal | NotARegion {
  return error instanceof RegionJobFailed || error instanceof RegionRefusal || error instanceof NotARegion
}

const reportMilliseconds = 1000

function sourceOf(call: MoveCall, region: RegionClient, made: BackupFile): RegionFileSource {
  const { file, size, sha256 } = made
  return {
    size,
    sha256,
    async *open(firstByte, signal) {
      let passed = firstByte
      let reportedAt = Date.now()
      const { content } = await region.getFile(file, { size, sha256, firstByte, signal })
      for await (const chunk of content as AsyncIterable<Uint8Array>) {
        call.signal.throwIfAborted()
        passed += chunk.byteLength
        yield chunk
        if (Date.now() - reportedAt < reportMilliseconds) continue
        reportedAt = Date.now()
        await call.progress((shareOfTransfer * passed) / size)
      }
    },
  }
}
