/** Sends content to a region that has given a ticket for it, while the content is still being made. */
import { createHash } from 'node:crypto'
import { digestAtEnd, ticketHeader } from '../files.ts'
import type { UploadAddress } from '../jobs.ts'
import { createRateMeter, slowestRate } from '../rate-meter.ts'
import { createSender, parsed } from './caller.ts'
import { type Copies, takeCopies } from './copies-of-chunks.ts'
import { RegionRefusal } from './errors.ts'
import { type Failure, type FileSum, watched } from './file-transfer.ts'
import { refusalOf } from './refusal-of.ts'
import { requestOf } from './request.ts'
import { createStall } from './stall.ts'

/** For silence, as in the client of the console. */
const timeoutSeconds = 20

/**
 * Sends the content and its digest in one request. What breaks off is lost: such a ticket is for one upload, from the
 * first byte on.
 * @param content a chunk need be valid only until the next one is asked for
 * @returns what has been sent, once the region has said that it has the same. What it says before it can have all counts
 * for nothing.
 * @throws {RegionRefusal | RegionUnreachable} and what the content throws
 */
export async function streamWithTicket(
  { url, file, ticket }: UploadAddress,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<FileSum> {
  const stall = createStall(timeoutSeconds)
  const sum: Sum = { hash: createHash('sha256'), size: 0, isWhole: false }
  const failure: Failure = {}
  const chunks = content[Symbol.asyncIterator]()
  const copies = takeCopies()
  stall.touch()
  try {
    const response = await createSender(url, { timeoutSeconds, signal })({
      ...requestOf('putFile', { params: { id: file } }),
      headers: {
        authorization: ticketHeader(ticket),
        'content-type': 'application/octet-stream',
        [digestAtEnd.name]: digestAtEnd.value,
      },
      body: () =>
        ReadableStream.from(watched(withDigest(chunks, sum, copies), stall, createRateMeter(slowestRate), failure)),
      signal: stall.signal,
    })
    if (!response.ok) throw await refusalOf(response)
    const taken = await parsed(response, 'putFile')
    if (!sum.isWhole)
      throw new RegionRefusal(502, 'about:blank', 'The region answered before it could have the whole file.')
    const sent = { size: sum.size, sha256: sum.hash.digest('hex') }
    if (!(taken.complete && taken.size === sent.size && taken.sha256 === sent.sha256))
      throw new RegionRefusal(
        502,
        'about:blank',
        'The region says that it has another file than the one that was sent.',
      )
    // Not after a failure: the connection may still hold some.
    copies.giveBack()
    return sent
  } catch (error) {
    // Nothing more is sent, nor the digest of what has been: that would make a file of it.
    stall.abort()
    // An error of the content explains more than the call that failed with it, and may not be the region's fault.
    throw 'error' in failure ? failure.error : error
  } finally {
    stall.stop()
    // Nothing may be read any more once this has returned. A chunk that is just being read is waited for.
    await chunks.return?.()
  }
}

interface Sum {
  hash: ReturnType<typeof createHash>
  size: number
  /** All of the content and its digest have been handed over. */
  isWhole: boolean
}

async function* withDigest(chunks: AsyncIterator<Uint8Array>, sum: Sum, copies: Copies): AsyncGenerator<Uint8Array> {
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    sum.hash.update(next.value)
    sum.size += next.value.byteLength
    // The connection may still hold it when the next one is asked for.
    yield copies.of(next.value)
  }
  yield sum.hash.copy().digest()
  sum.isWhole = true
}
