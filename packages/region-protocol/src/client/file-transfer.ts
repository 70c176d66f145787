/** Files to and from a region, going on after a broken connection. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { digestHeader, type FileInfo, fileInfo, sha256OfDigestHeader } from '../files.ts'
import { type CallMark, markHeaders } from '../mark.ts'
import { type Caller, parsed } from './caller.ts'
import { RegionRefusal, RegionUnreachable, reasonOf } from './errors.ts'
import { refusalOf } from './refusal-of.ts'

/** A file to send. */
export interface RegionFileSource {
  /** Bytes. */
  size: number
  /** Hexadecimal, of the whole content. */
  sha256: string
  /** The content from this byte on; called again for each try. */
  open(firstByte: number): AsyncIterable<Uint8Array>
}

/** A file to read. */
export interface RegionFile {
  id: string
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
  /** Ends with an error when the content is not that of `sha256`. */
  content: Readable
}

/** So many tries in a row may bring nothing before the transfer is given up. */
const fruitlessTries = 4

export async function putFile(
  caller: Caller,
  id: string,
  source: RegionFileSource,
  mark?: CallMark,
): Promise<FileInfo> {
  const tries = createTries()
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

export async function getFile(caller: Caller, id: string): Promise<RegionFile> {
  const stall = createStall(caller.timeoutSeconds)
  const response = await openContent(caller, id, {}, stall)
  const size = Number(response.headers.get('content-length') ?? Number.NaN)
  const sha256 = sha256OfDigestHeader(response.headers.get('digest'))
  if (sha256 === null || !Number.isSafeInteger(size)) {
    stall.abort()
    throw new RegionRefusal(502, 'about:blank', 'The region gave a file without Content-Length or Digest.')
  }
  const file = { id, size, sha256 }
  return { ...file, content: Readable.from(contentOf(caller, file, response, stall), { objectMode: false }) }
}

/** Yields the whole content; after a break it asks for the rest. */
async function* contentOf(
  caller: Caller,
  file: { id: string; size: number; sha256: string },
  first: Response,
  firstStall: Stall,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  const tries = createTries()
  let position = 0
  let response: Response | null = first
  let stall = firstStall
  try {
    while (position < file.size) {
      try {
        if (response === null) {
          stall = createStall(caller.timeoutSeconds)
          const rest = { range: `bytes=${position}-`, 'if-range': `"${file.sha256}"` }
          response = await openContent(caller, file.id, rest, stall)
          if (response.status !== 206)
            throw new RegionRefusal(409, 'about:blank', 'The file changed while it was read.')
        }
        for await (const chunk of response.body ?? []) {
          // The reader's own pause is not the region's: the clock runs only while we wait for bytes.
          stall.stop()
          hash.update(chunk)
          position += chunk.byteLength
          yield chunk
          stall.touch()
        }
        stall.stop()
        if (position < file.size) throw new RegionUnreachable('cut off')
      } catch (error) {
        stall.stop()
        response = null
        tries.reached(position)
        await tries.failed(error instanceof RegionRefusal ? error : new RegionUnreachable(reasonOf(error)))
      }
    }
    if (position !== file.size || hash.digest('hex') !== file.sha256) throw wrongContent
  } finally {
    stall.abort()
  }
}

const wrongContent = new RegionRefusal(
  502,
  'urn:roomkeeper-region:digest-mismatch',
  'The content of the file is not the one that the region announced.',
)

async function openContent(caller: Caller, id: string, headers: Record<string, string>, stall: Stall) {
  stall.touch()
  const path = `files/${encodeURIComponent(id)}`
  const response = await caller.exchange({ method: 'GET', path, headers, signal: stall.signal })
  if (!response.ok) {
    const refusal = await refusalOf(response)
    stall.stop()
    throw refusal
  }
  return response
}

async function askForProgress(caller: Caller, id: string, source: RegionFileSource, mark?: CallMark) {
  const response = await caller.exchange({
    method: 'PUT',
    path: `files/${encodeURIComponent(id)}`,
    headers: {
      ...markHeaders(mark),
      'content-type': 'application/octet-stream',
      'content-range': `bytes */${source.size}`,
      digest: digestHeader(source.sha256),
    },
    body: () => '',
  })
  if (!response.ok) throw await refusalOf(response)
  return parsed(response, fileInfo)
}

async function sendFrom(caller: Caller, id: string, source: RegionFileSource, first: number, mark?: CallMark) {
  // After a restart the region has to read again what it has.
  const stall = createStall(caller.timeoutSeconds + first / 50_000_000)
  const range = first === 0 ? {} : { 'content-range': `bytes ${first}-${source.size - 1}/${source.size}` }
  stall.touch()
  try {
    const response = await caller.exchange({
      method: 'PUT',
      path: `files/${encodeURIComponent(id)}`,
      headers: {
        ...markHeaders(mark),
        ...range,
        'content-type': 'application/octet-stream',
        'content-length': String(source.size - first),
        digest: digestHeader(source.sha256),
      },
      body: () => ReadableStream.from(touching(source.open(first), stall)),
      signal: stall.signal,
    })
    if (!response.ok) throw await refusalOf(response)
    return await parsed(response, fileInfo)
  } finally {
    stall.stop()
  }
}

async function* touching(content: AsyncIterable<Uint8Array>, stall: Stall): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    stall.touch()
    yield chunk
  }
}

interface Stall {
  signal: AbortSignal
  /** Starts the clock anew. */
  touch(): void
  stop(): void
  abort(): void
}

/** Aborts when nothing moved for so long. */
function createStall(seconds: number): Stall {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  return {
    signal: controller.signal,
    stop,
    touch() {
      stop()
      timer = setTimeout(() => controller.abort(new DOMException('stalled', 'TimeoutError')), seconds * 1000)
      timer.unref()
    },
    abort() {
      stop()
      controller.abort()
    },
  }
}

/** Counts tries that brought no byte. */
function createTries() {
  let furthest = -1
  let fruitless = 0
  return {
    reached(position: number) {
      if (position > furthest) fruitless = 0
      furthest = Math.max(furthest, position)
    },
    /** Waits before the next try, or throws the error when another try cannot help. */
    async failed(error: unknown): Promise<void> {
      fruitless += 1
      if (!mayPassOnRetry(error) || fruitless >= fruitlessTries) throw error
      await pause(100 * 3 ** fruitless)
    },
  }
}

function mayPassOnRetry(error: unknown): boolean {
  if (error instanceof RegionUnreachable) return true
  if (!(error instanceof RegionRefusal)) return false
  return error.passing || error.type === 'urn:roomkeeper-region:range-mismatch'
}
