/** Transfers files to and from a region, and resumes after a broken connection. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { digestHeader, type FileInfo, sha256OfDigestHeader } from '../files.ts'
import { type CallMark, markHeaders } from '../mark.ts'
import { createRateMeter, type RateMeter } from '../rate-meter.ts'
import { type Caller, parsed } from './caller.ts'
import { RegionRefusal, RegionUnreachable, reasonOf, TransferTooSlow } from './errors.ts'
import { refusalOf } from './refusal-of.ts'
import { requestOf } from './request.ts'
import { createRetryBudget } from './retry-budget.ts'
import { createStall, type Stall } from './stall.ts'

/** The size and digest of a file. */
export interface FileSum {
  /** Bytes. */
  size: number
  /** Hexadecimal, of the whole content. */
  sha256: string
}

/** A file to send. */
export interface RegionFileSource extends FileSum {
  /**
   * Opens the content from this byte on; called again for each try.
   * @param signal aborts when the try has ended and the rest of this content is no longer needed
   */
  open(firstByte: number, signal: AbortSignal): AsyncIterable<Uint8Array>
}

/** A file to read, with the size and digest that the region reported when it made the file. */
export interface WantedFile extends FileSum {
  /** Default 0. A part of the content has no digest of its own, so the caller has to check the whole. */
  firstByte?: number
  /** Ends the reading. */
  signal?: AbortSignal
}

/** An opened file. Size and digest are those of the whole file. */
export interface RegionFile extends FileSum {
  id: string
  /** Fails when it does not match `sha256`, unless it begins after the first byte. */
  content: Readable
}

/** @throws errors of the source's content, unchanged and without another try: only the region's failures are retried */
export async function putFile(
  caller: Caller,
  id: string,
  source: RegionFileSource,
  mark?: CallMark,
): Promise<FileInfo> {
  const tries = createRetryBudget(caller.slowest)
  while (true) {
    try {
      const found = await askForProgress(caller, id, source, mark)
      if (found.complete) return found
      tries.reached(found.received)
      return await sendFrom(caller, id, source, found.received, mark)
    } catch (error) {
      await tries.failed(error)
    }
  }
}

/**
 * @throws {RegionRefusal} when the region announces another file than the wanted one; with `firstByte`, reading the
 * content throws it instead
 */
export async function getFile(caller: Caller, id: string, wanted?: WantedFile): Promise<RegionFile> {
  if (wanted?.firstByte) {
    const { size, sha256 } = wanted
    const content = contentOf(caller, { id, size, sha256 }, { from: wanted.firstByte, signal: wanted.signal })
    return { id, size, sha256, content: Readable.from(content, { objectMode: false }) }
  }
  const stall = createStall(caller.timeoutSeconds, wanted?.signal)
  const meter = createRateMeter(caller.slowest)
  meter.wait()
  const response = await openContent(caller, id, {}, stall)
  const size = Number(response.headers.get('content-length') ?? Number.NaN)
  const sha256 = sha256OfDigestHeader(response.headers.get('digest'))
  if (sha256 === null || !Number.isSafeInteger(size)) {
    stall.abort()
    throw new RegionRefusal(502, 'about:blank', 'The region gave a file without Content-Length or Digest.')
  }
  if (wanted !== undefined && (wanted.size !== size || wanted.sha256 !== sha256)) {
    stall.abort()
    throw new RegionRefusal(409, 'about:blank', 'The region gave another file than the one that it had made.')
  }
  const file = { id, size, sha256 }
  const content = contentOf(caller, file, { from: 0, signal: wanted?.signal, first: { response, stall, meter } })
  return { ...file, content: Readable.from(content, { objectMode: false }) }
}

interface Reading {
  from: number
  signal: AbortSignal | undefined
  /** The answer that was already opened. */
  first?: { response: Response; stall: Stall; meter: RateMeter }
}

/** Yields exactly the announced content. After an interruption, requests the rest. */
async function* contentOf(
  caller: Caller,
  file: FileSum & { id: string },
  { from, signal, first }: Reading,
): AsyncGenerator<Uint8Array> {
  const hash = from === 0 ? createHash('sha256') : null
  const tries = createRetryBudget(caller.slowest)
  const meter = first?.meter ?? createRateMeter(caller.slowest)
  let position = from
  let response = first?.response ?? null
  let stall = first?.stall
  try {
    while (position < file.size) {
      try {
        if (response === null) {
          stall = createStall(caller.timeoutSeconds, signal)
          meter.wait()
          const rest = { range: `bytes=${position}-`, 'if-range': `"${file.sha256}"` }
          response = await openContent(caller, file.id, rest, stall)
          if (response.status !== 206)
            throw new RegionRefusal(409, 'about:blank', 'The file changed while it was read.')
        }
        for await (const chunk of response.body ?? []) {
          // The reader's pauses do not count: both clocks run only while we wait for bytes.
          stall?.stop()
          position += chunk.byteLength
          if (position > file.size) throw wrongContent
          if (!meter.moved(chunk.byteLength) && position < file.size) throw new TransferTooSlow()
          hash?.update(chunk)
          yield chunk
          stall?.touch()
          meter.wait()
        }
        stall?.stop()
        if (position < file.size) throw new RegionUnreachable('cut off')
      } catch (error) {
        stall?.stop()
        response = null
        signal?.throwIfAborted()
        if (error === wrongContent) throw error
        tries.reached(position)
        await tries.failed(isOfRegion(error) ? error : new RegionUnreachable(reasonOf(error)))
      }
    }
    if (position !== file.size) throw wrongContent
    if (hash !== null && hash.digest('hex') !== file.sha256) throw wrongContent
  } catch (error) {
    // It may pass through an upload to another region, which must not be blamed.
    if (error instanceof RegionUnreachable) error.region ??= caller.region
    throw error
  } finally {
    stall?.abort()
  }
}

const wrongContent = new RegionRefusal(
  502,
  'urn:roomkeeper-region:digest-mismatch',
  'The content of the file is not the one that the region announced.',
)

async function openContent(caller: Caller, id: string, headers: Record<string, string>, stall: Stall) {
  stall.touch()
  // Ask for uncompressed content: otherwise Content-Length would not be the file's size.
  const asked = { ...headers, 'accept-encoding': 'identity' }
  const response = await caller.exchange({
    ...requestOf('getFile', { params: { id } }),
    headers: asked,
    signal: stall.signal,
  })
  if (!response.ok) {
    const refusal = await refusalOf(response)
    stall.stop()
    throw refusal
  }
  if ((response.headers.get('content-encoding') ?? 'identity') === 'identity') return response
  stall.abort()
  throw new RegionRefusal(502, 'about:blank', 'The region gave a file compressed, which it was not asked for.')
}

async function askForProgress(caller: Caller, id: string, source: RegionFileSource, mark?: CallMark) {
  const response = await caller.exchange({
    ...requestOf('putFile', { params: { id } }),
    headers: {
      ...markHeaders(mark),
      'content-type': 'application/octet-stream',
      'content-range': `bytes */${source.size}`,
      digest: digestHeader(source.sha256),
    },
    body: () => '',
  })
  if (!response.ok) throw await refusalOf(response)
  return parsed(response, 'putFile')
}

async function sendFrom(caller: Caller, id: string, source: RegionFileSource, first: number, mark?: CallMark) {
  // After a restart, a region has to read (and digest) again what it already has.
  const secondsToReadAgain = first / 50_000_000
  const stall = createStall(caller.timeoutSeconds + secondsToReadAgain)
  const meter = createRateMeter({ ...caller.slowest, seconds: caller.slowest.seconds + secondsToReadAgain })
  const range = first === 0 ? {} : { 'content-range': `bytes ${first}-${source.size - 1}/${source.size}` }
  stall.touch()
  let failure: Failure = {}
  let ended = new AbortController()
  // A second call means that the session was renewed: the content that was opened first is no longer needed.
  const openAgain = () => {
    ended.abort()
    ended = new AbortController()
    failure = {}
    return ReadableStream.from(watched(source.open(first, ended.signal), stall, meter, failure))
  }
  try {
    const response = await caller.exchange({
      ...requestOf('putFile', { params: { id } }),
      headers: {
        ...markHeaders(mark),
        ...range,
        'content-type': 'application/octet-stream',
        'content-length': String(source.size - first),
        digest: digestHeader(source.sha256),
      },
      body: openAgain,
      signal: stall.signal,
    })
    if (!response.ok) throw await refusalOf(response)
    return await parsed(response, 'putFile')
  } catch (error) {
    // An error of the source explains more than the call that failed with it, and may not be the region's fault.
    throw 'error' in failure ? failure.error : error
  } finally {
    stall.stop()
    // Closing the source with `return` would have to wait for its next bytes, so the signal ends it instead.
    ended.abort()
  }
}

export interface Failure {
  error?: unknown
}

/** Yields the same content and checks how fast the region reads it. Pauses of the source do not count. */
export async function* watched(
  content: AsyncIterable<Uint8Array>,
  stall: Stall,
  meter: RateMeter,
  failure: Failure,
): AsyncGenerator<Uint8Array> {
  try {
    stall.stop()
    for await (const chunk of content) {
      stall.touch()
      meter.wait()
      yield chunk
      stall.stop()
      if (!meter.moved(chunk.byteLength)) throw new TransferTooSlow()
    }
    // All is sent; the region's answer is still missing.
    stall.touch()
  } catch (error) {
    failure.error = error
    throw error
  }
}

function isOfRegion(error: unknown): error is RegionRefusal | RegionUnreachable {
  return error instanceof RegionRefusal || error instanceof RegionUnreachable
}
