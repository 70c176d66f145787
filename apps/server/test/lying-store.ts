/** An object store whose answers a test controls: the size of an object, and what a read returns. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { markKey } from '#platform/file-store/marked-store.ts'

export interface LyingStore {
  endpoint: string
  /** The size in bytes that the answer to a HEAD states. */
  size: number
  /** Further headers of the answer to a HEAD. */
  heads: Record<string, string>
  /**
   * What a read returns:
   * - endless: as many bytes as the client reads.
   * - trickle: a byte now and then, forever.
   * - endless error: a 400 with a body that is larger than any client should read.
   * - what was put: the stored object, as in a real store.
   * - and more: the stored object, followed by as many bytes as the client reads.
   * - other bytes: as many bytes as were stored, but different ones.
   * - code: a 400 with this error code.
   * - body: any answer, even one that S3 never gives; with `toAll` also to HEAD and DELETE.
   * - words: these words without HTTP, whatever the request, after which the connection is closed.
   */
  sends:
    | 'endless'
    | 'trickle'
    | 'endless error'
    | 'what was put'
    | 'and more'
    | 'other bytes'
    | { code: string }
    | Answer
    | { words: string }
  /** The answer to listings, regardless of `sends`; null to answer them like other reads. */
  pages: Pages | null
  /**
   * When the last part of each listed unfinished upload arrived, or null if it has no parts. gone: the upload does not
   * exist. denied: its parts must not be listed.
   */
  lastPart: string | null
  /** If not null, removals get no answer and are collected here, to be executed later. */
  late: (() => void)[] | null
  /** The key of an object that answers HEAD but cannot be read, or null. */
  unreadable: string | null
  /** How many endless errors clients have cut off before their end. */
  cutOff: number
  /** The calls, each with the host that it named. */
  calls: { method: string; host: string; path: string; authorization: string }[]
  stop(): Promise<void>
}

/**
 * Listings:
 * - without a marker, of one marker, of new markers, of two markers: pages that never end and have no marker, always
 *   the same marker, ever new markers, or the same two markers alternately.
 * - of a last one: two pages, each with one requested entry and one that was not requested.
 * - of the first alone: the first of these two pages, without a marker.
 * - large: one page of 3 MiB.
 * - of doctypes: one page of 2 MiB that takes a client minutes to parse.
 * - held: no answer.
 */
type Pages =
  | 'without a marker'
  | 'of one marker'
  | 'of new markers'
  | 'of two markers'
  | 'of a last one'
  | 'of the first alone'
  | 'large'
  | 'of doctypes'
  | 'held'

interface Answer {
  status: number
  body: string
  headers?: Record<string, string>
  toAll?: true
}

export async function startLyingStore(): Promise<LyingStore> {
  const kept = new Map<string, Buffer>()
  const server = createServer((asked, answer) => {
    const { method = '', headers, url: path = '' } = asked
    store.calls.push({ method, path, host: headers.host ?? '', authorization: headers.authorization ?? '' })
    const { pages } = store
    // The console would take a place with another mark for no store of its own.
    const sends = path.split('?')[0]?.endsWith(`/${markKey}`) && isLie(store.sends) ? 'what was put' : store.sends
    if (pages !== null && method === 'GET' && isList(path)) return void sendPage(pages, store.calls, answer)
    if (pages !== null && method === 'GET' && /[?&]uploadId=/.test(path)) return void sendParts(store.lastPart, answer)
    if (method === 'DELETE' && store.late !== null) {
      store.late.push(() => kept.delete(path.split('?')[0] ?? ''))
      return void answer.destroy()
    }
    if (method === 'GET' && store.unreadable !== null && path.split('?')[0]?.endsWith(`/${store.unreadable}`))
      return void answer.writeHead(500).end('<Error><Code>InternalError</Code></Error>')
    if (sends === 'what was put' || sends === 'and more' || sends === 'other bytes')
      return void keepAndGive(kept, asked, answer, sends)
    asked.resume()
    if (typeof sends === 'object' && 'words' in sends) asked.socket.end(sends.words)
    else if (typeof sends === 'object' && 'toAll' in sends)
      answer.writeHead(sends.status, sends.headers).end(sends.body)
    else if (method === 'HEAD') answer.writeHead(200, { 'content-length': store.size, ...store.heads }).end()
    else if (method === 'DELETE') answer.writeHead(204).end()
    else if (sends === 'endless') pour(asked, answer)
    else if (sends === 'endless error') pourError(store, answer)
    else if (sends === 'trickle') trickle(answer)
    else if ('body' in sends) answer.writeHead(sends.status, sends.headers).end(sends.body)
    else answer.writeHead(400).end(`<Error><Code>${sends.code}</Code><Message>No.</Message></Error>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const store: LyingStore = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    size: 0,
    heads: {},
    sends: 'endless',
    pages: null,
    lastPart: null,
    late: null,
    unreadable: null,
    cutOff: 0,
    calls: [],
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return store
}

export function isList(path: string): boolean {
  return /[?&](list-type|uploads)=/.test(path)
}

/** Sends a page that is valid for listings of both objects and uploads. */
function sendPage(pages: Pages, calls: LyingStore['calls'], answer: ServerResponse): void {
  if (pages === 'held') return
  if (pages === 'of a last one') return void answer.writeHead(200).end(pageOfTwo(calls.at(-1)?.path ?? ''))
  if (pages === 'of the first alone') {
    const page = pageOfTwo('').replaceAll(/<(Next\w+)>[^<]*<\/\1>/g, '')
    return void answer.writeHead(200).end(page)
  }
  if (pages === 'large') return void answer.writeHead(200).end(`<R><A>${'x'.repeat(3 * 1024 * 1024)}</A></R>`)
  if (pages === 'of doctypes') return void answer.writeHead(200).end(doctypes(2 * 1024 * 1024))
  const count = calls.length
  const marker = { 'of one marker': 'a', 'of new markers': `${count}`, 'of two markers': `${count % 2}` }
  const next = pages === 'without a marker' ? '' : marker[pages]
  const tags = ['NextContinuationToken', 'NextKeyMarker', 'NextUploadIdMarker']
  const markers = next === '' ? '' : tags.map((tag) => `<${tag}>${next}</${tag}>`).join('')
  answer.writeHead(200).end(`<Result><IsTruncated>true</IsTruncated>${markers}</Result>`)
}

function sendParts(last: LyingStore['lastPart'], answer: ServerResponse): void {
  if (last === 'gone') return void answer.writeHead(404).end('<Error><Code>NoSuchUpload</Code></Error>')
  if (last === 'denied') return void answer.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
  const times = last === null ? [] : ['2020-01-01T00:00:00.000Z', last]
  const parts = times.map((time) => `<Part><PartNumber>1</PartNumber><LastModified>${time}</LastModified></Part>`)
  answer.writeHead(200).end(`<Result><IsTruncated>false</IsTruncated>${parts.join('')}</Result>`)
}

/** The client scans the whole text once for each of these. */
function doctypes(bytes: number): string {
  const doctype = '<!DocType>'
  return `${doctype.repeat((bytes - 4) / doctype.length)}<R/>`
}

function pageOfTwo(path: string): string {
  const isLast = /[?&](continuation-token|key-marker)=to-the-second/.test(path)
  const time = '2020-01-01T00:00:00.000Z'
  const entries = [isLast ? 'x2' : 'x1', 'elsewhere'].map(
    (key) => `<Contents><Key>${key}</Key><LastModified>${time}</LastModified></Contents>
      <Upload><Key>${key}</Key><UploadId>u</UploadId><Initiated>${time}</Initiated></Upload>`,
  )
  const markers =
    '<NextContinuationToken>to-the-second</NextContinuationToken><NextKeyMarker>to-the-second</NextKeyMarker>'
  return `<Result><IsTruncated>${!isLast}</IsTruncated>${isLast ? '' : markers}${entries.join('')}</Result>`
}

function isLie(sends: LyingStore['sends']): boolean {
  return sends === 'and more' || sends === 'other bytes'
}

async function keepAndGive(
  kept: Map<string, Buffer>,
  asked: IncomingMessage,
  answer: ServerResponse,
  sends: 'what was put' | 'and more' | 'other bytes',
): Promise<void> {
  const [path = ''] = (asked.url ?? '').split('?')
  const body = Buffer.concat(await asked.toArray())
  if (asked.method === 'PUT') kept.set(path, body)
  if (asked.method === 'DELETE') kept.delete(path)
  const found = kept.get(path)
  if (asked.method === 'PUT') answer.writeHead(200, { etag: '"whole"' }).end()
  else if (asked.method === 'DELETE') answer.writeHead(204).end()
  else if (found === undefined) answer.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  else if (sends !== 'and more' || asked.method === 'HEAD')
    answer
      .writeHead(200, { etag: '"whole"', 'content-length': found.length })
      .end(sends === 'other bytes' ? Buffer.alloc(found.length) : found)
  else pour(asked, answer, found)
}

const chunk = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(65_532)])

function pour({ headers }: IncomingMessage, answer: ServerResponse, first: Buffer = chunk): void {
  const range = headers.range === undefined ? {} : { 'content-range': 'bytes 0-3/1000' }
  answer.writeHead(headers.range === undefined ? 200 : 206, range)
  const more = () => {
    while (!answer.destroyed && answer.write(chunk));
  }
  answer.on('drain', more)
  answer.write(first)
  more()
}

/** More than fits into all buffers on the way. */
const chunksOfError = 4096

function pourError(store: LyingStore, answer: ServerResponse): void {
  answer.writeHead(400)
  let left = chunksOfError
  const more = () => {
    while (!answer.destroyed && left > 0) {
      left -= 1
      if (!answer.write(chunk)) return
    }
    if (left === 0) answer.end()
  }
  answer.on('drain', more)
  answer.on('close', () => {
    if (left > 0) store.cutOff += 1
  })
  more()
}

function trickle(answer: ServerResponse): void {
  answer.writeHead(200)
  const dripping = setInterval(() => answer.write('x'), 50)
  answer.on('close', () => clearInterval(dripping))
}
