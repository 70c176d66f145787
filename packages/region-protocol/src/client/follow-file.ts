/** Reads the file that a job makes, while it makes it. */
import { createRateMeter } from '../rate-meter.ts'
import type { Caller } from './caller.ts'
import {
  isUnknownToRegion,
  NotARegion,
  RegionRefusal,
  RegionUnreachable,
  reasonOf,
  refusalTypePrefix,
  TransferTooSlow,
} from './errors.ts'
import { refusalOf } from './refusal-of.ts'
import { requestOf } from './request.ts'
import { createStall } from './stall.ts'

export interface FollowedFile {
  /**
   * Ends when the region says that the file is whole, and fails when the job does not make it or the connection breaks;
   * it is not resumed. How long the file is, and its digest, only the result of the job tells: the caller has to check
   * both, and to stop at a length that it does not believe.
   */
  content: AsyncIterable<Uint8Array>
  /** From now on, silence and slowness count. Before, the job may rest for as long as it likes. */
  jobHasEnded(): void
}

/**
 * @param signal ends the reading
 * @returns 'not-begun': ask again; 'none': the job has ended, or makes no such file
 * @throws {RegionUnreachable}
 */
export async function followFile(
  caller: Caller,
  job: string,
  signal: AbortSignal,
): Promise<FollowedFile | 'not-begun' | 'none'> {
  const stall = createStall(caller.timeoutSeconds, signal)
  stall.touch()
  const response = await caller.exchange({
    ...requestOf('jobFile', { params: { id: job } }),
    headers: { 'accept-encoding': 'identity' },
    signal: stall.signal,
  })
  if (!response.ok) {
    const refusal = await refusalOf(response)
    stall.stop()
    if (isNotBegun(refusal)) return 'not-begun'
    if (refusal instanceof NotARegion || !refusal.isTransient) return 'none'
    throw refusal
  }
  if ((response.headers.get('content-encoding') ?? 'identity') !== 'identity') {
    stall.abort()
    return 'none'
  }
  stall.stop()
  const meter = createRateMeter(caller.slowest)
  let hasEnded = false
  const wait = () => {
    if (!hasEnded) return
    stall.touch()
    meter.wait()
  }
  let isWaiting = false
  async function* content(): AsyncGenerator<Uint8Array> {
    try {
      isWaiting = true
      wait()
      for await (const chunk of response.body ?? []) {
        isWaiting = false
        stall.stop()
        if (hasEnded && !meter.moved(chunk.byteLength)) throw new TransferTooSlow()
        yield chunk
        isWaiting = true
        wait()
      }
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof RegionUnreachable ? error : new RegionUnreachable(reasonOf(error))
    } finally {
      isWaiting = false
      stall.abort()
    }
  }
  return {
    content: content(),
    jobHasEnded() {
      hasEnded = true
      if (isWaiting) wait()
    },
  }
}

/** A job that this process has only just asked for may not be there yet. */
function isNotBegun(error: RegionRefusal | NotARegion): boolean {
  return (
    isUnknownToRegion(error) || (error instanceof RegionRefusal && error.type === `${refusalTypePrefix}file-not-begun`)
  )
}
