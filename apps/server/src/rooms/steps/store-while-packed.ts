/**
 * Has a region make a backup, and brings it into the backup store while the region still packs it. Nothing depends on
 * that: what is not in the store when the job is done, because the region does not offer it, was too quick, or the
 * connection broke, the next step brings there (store-and-read-back.ts). The file appears in the store only when its length and
 * digest are those of the job's result.
 */
import { createHash } from 'node:crypto'
import { because, type Reasons } from '@roomkeeper/contract'
import { type FollowedFile, type RegionClient, RegionRefusal, RegionUnreachable } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { reasonsOf, toldByRegion } from '#operations/index.ts'
import { fitsUsualParts } from '#platform/file-store/bucket-store.ts'
import { pause } from '#platform/pause.ts'
import { Refusal } from '#platform/refuse.ts'
import { runRegionJob } from '#regions/index.ts'
import { type RegionFileMade, regionFile } from './files-of-regions.ts'
import { type RoomCall, targetOf } from './room-call.ts'

/** A backup on its region, which is perhaps in the store already. */
export const madeBackup = regionFile.extend({ isStored: z.boolean() })
export type MadeBackup = z.infer<typeof madeBackup>

/** @param key of the store; the undo of the step removes it */
export async function packIntoStore(call: RoomCall, jobName: string, key: string): Promise<MadeBackup> {
  const { room, region } = await targetOf(call)
  const isFollowed = await region.offers('jobFile')
  let following: Following | null = null
  const beforeTry = async (job: string) => {
    await following?.stop()
    following = startFollowing({ call, region, room: room.name, job, key })
  }
  try {
    const input = { type: 'backupRoom', room: room.name, roomId: room.id } as const
    const { file, size, sha256 } = await runRegionJob(call, region, input, jobName, isFollowed ? { beforeTry } : {})
    const made = { file, size, sha256 }
    return { ...made, isStored: (await (following as Following | null)?.isStored(made)) ?? false }
  } finally {
    await (following as Following | null)?.stop()
  }
}

interface Following {
  /** Waits until the file is in the store, or will not be. */
  isStored(made: RegionFileMade): Promise<boolean>
  /** When it returns, nothing more is read or written. */
  stop(): Promise<void>
}

interface Followed {
  call: RoomCall
  region: RegionClient
  /** Its name. */
  room: string
  /** The id of the job on the region. */
  job: string
  key: string
}

function startFollowing({ call, region, room, job, key }: Followed): Following {
  const { promise: ended, resolve: end } = Promise.withResolvers<RegionFileMade>()
  const stopping = new AbortController()
  const signal = AbortSignal.any([call.signal, stopping.signal])
  const waiting = new AbortController()
  let opened: FollowedFile | null = null
  let hasEnded = false

  async function store(): Promise<boolean> {
    opened = await openFile(region, job, AbortSignal.any([signal, waiting.signal]), signal)
    if (opened === null) return false
    if (hasEnded) opened.jobHasEnded()
    const bytes = (await region.room(room))?.size ?? 0
    if (bytes > largestFollowed) {
      stopping.abort()
      return false
    }
    const sizeAtMost = Math.min(largestBackup(bytes), largestFollowed)
    const file = { sha256: '' }
    const content = checked(region, opened.content, { ended, sizeAtMost, signal, file })
    await call.services.files.put(key, content, { signal, size: sizeAtMost, sha256: () => file.sha256 })
    return true
  }

  const storing = store().catch(async (error: unknown) => {
    if (signal.aborted) return false
    const reasons = reasonsOfMiss(error)
    if (reasons === null)
      call.services.log.error({ err: error, operation: call.id }, 'a backup was not stored while it was packed')
    await call.log([...(reasons ?? []), because('log-stored-afterwards')], 'warning')
    return false
  })
  storing.catch(() => undefined)
  return {
    isStored(made) {
      hasEnded = true
      waiting.abort()
      opened?.jobHasEnded()
      end(made)
      return storing
    },
    async stop() {
      stopping.abort()
      await storing.catch(() => undefined)
    },
  }
}

/** More than any backup has of a room of this size, which only the region tells. */
const largestBackup = (bytes: number) => 2 * bytes + 64 * 1024 * 1024

/** Parts of an upload are in memory, so the size that a region reports must not make them larger than usual. */
const largestFollowed = fitsUsualParts

const [firstPause, longestPause] = [200, 1000]

/**
 * Most jobs have ended before they are asked for the first time.
 * @param wanted fires when the caller no longer waits for the beginning of the file
 * @returns null: the file cannot be read while it is made
 */
async function openFile(
  region: RegionClient,
  job: string,
  wanted: AbortSignal,
  signal: AbortSignal,
): Promise<FollowedFile | null> {
  for (let wait = firstPause; ; wait = Math.min(1.5 * wait, longestPause)) {
    await pause(wait, wanted)
    if (wanted.aborted) return null
    const found = await region.followFile(job, signal)
    if (found === 'none') return null
    if (found !== 'not-begun') return found
  }
}

interface Checking {
  ended: Promise<RegionFileMade>
  sizeAtMost: number
  signal: AbortSignal
  /** Where the digest is put. */
  file: { sha256: string }
}

/** Yields the content. Fails at its end when it is not what the job has made, and resumes when the connection breaks. */
async function* checked(
  region: RegionClient,
  content: AsyncIterable<Uint8Array>,
  { ended, sizeAtMost, signal, file }: Checking,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let size = 0
  const passing = async function* (pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      size += piece.byteLength
      if (size > sizeAtMost) throw differs()
      hash.update(piece)
      yield piece
    }
  }
  try {
    yield* passing(content)
  } catch (error) {
    if (!(error instanceof RegionUnreachable)) throw error
  }
  const made = await ended
  if (size < made.size) {
    const rest = await region.getFile(made.file, { size: made.size, sha256: made.sha256, firstByte: size, signal })
    yield* passing(rest.content as AsyncIterable<Uint8Array>)
  }
  file.sha256 = hash.digest('hex')
  if (size !== made.size || file.sha256 !== made.sha256) throw differs()
}

function differs(): RegionRefusal {
  return new RegionRefusal(502, 'about:blank', 'What the region gave while it packed is not the file that it had made.')
}

/** Null: only a bug explains it. */
function reasonsOfMiss(error: unknown): Reasons | null {
  if (error instanceof RegionRefusal || error instanceof RegionUnreachable) return [toldByRegion(error)]
  return error instanceof Refusal ? reasonsOf(error) : null
}
