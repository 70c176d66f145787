/** Has a region remove, or look for, what it has of a room that is purged. */
import { because } from '@roomkeeper/contract'
import { atMost } from '@roomkeeper/region-protocol'
import { StepFailed } from '#operations/index.ts'
import { runRegionJob } from '#regions/index.ts'
import type { PurgeCall } from './purge-call.ts'

interface Purge {
  /** Of the job: another one looks anew. */
  name: string
  /** The names under which backups of the room were sent to regions. */
  sent: string[]
  /** Only looks. */
  look?: true
}

export async function purgeOnRegion(
  call: PurgeCall,
  region: { id: number; name: string },
  { name, sent: files, look }: Purge,
) {
  const client = await call.services.connectRegion(region.id, call.signal)
  // Asked anew, because a region may have been updated since this process signed in.
  const { capabilities } = await client.status()
  if (!capabilities.includes('purgeRoom')) throw new StepFailed(because('region-cannot-purge', { region: region.name }))
  const { roomId, roomName: room } = call.input
  const found = { copies: 0, kept: 0, files: 0 }
  for (let first = 0; first === 0 || first < files.length; first += atMost.filesToPurge) {
    const piece = files.slice(first, first + atMost.filesToPurge)
    const job = { type: 'purgeRoom', room, roomId, files: piece, look } as const
    const id = first === 0 ? `${name}-${region.id}` : `${name}-${region.id}-${first}`
    const ofPiece = await runRegionJob(call, client, job, id)
    found.copies += ofPiece.copies
    found.kept += ofPiece.kept
    found.files += ofPiece.files
  }
  return found
}
