/**
 * An object store (S3) of the kit, for regions on the same machine. It offers what docs/region/jobs.md says that a region
 * uses: objects addressed by path, written at once or in parts, and signed requests. A check can have it lie.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CheckSkipped } from './check.ts'
import type { Region } from './region-under-test.ts'

/** The operations of S3 that the store knows. */
type Operation =
  | 'PutObject'
  | 'CreateMultipartUpload'
  | 'UploadPart'
  | 'CompleteMultipartUpload'
  | 'AbortMultipartUpload'
  | 'GetObject'
  | 'HeadObject'
  | 'other'

export interface KitObjectStore {
  /** The place of an object, with the right credentials, as jobs take it. */
  at(key: string): typeof credentials & { endpoint: string; bucket: string; key: string }
  /** Objects by key. */
  objects: Map<string, Buffer>
  /** Unfinished multipart uploads by id: their parts by number. */
  uploads: Map<string, Map<number, Buffer>>
  /** The operations of all requests, in order. */
  requests: Operation[]
  /** What it stores of an object that is written; null: nothing. */
  stores: (content: Buffer) => Buffer | null
  /** Answers in place of the store. @returns false: the store answers itself */
  answerInstead: (operation: Operation, answer: ServerResponse) => boolean
  /** From now on it stores what is written, and answers itself. */
  becomeHonest(): void
}

const credentials = {
  region: 'eu-central-1',
  accessKey: 'CONFORMANCE',
  secretKey: 'never-shown/secret+key',
  sessionToken: 'never-shown/session+token',
}
const bucket = 'conformance'

/** Passes a store to the work, and closes it afterwards. @throws CheckSkipped if the region may not reach it */
export async function withObjectStore<T>({ target }: Region, work: (store: KitObjectStore) => Promise<T>): Promise<T> {
  const { hostname } = new URL(target.url)
  if (!['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
    throw new CheckSkipped('the object store of the kit is only for regions on the same machine')
  const server = createServer((request, answer) => {
    serve(store, request, answer).catch(() => answer.destroy())
  })
  // A connection that is closed while it is idle could meet the next request.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const honest = { stores: (content: Buffer) => content, answerInstead: () => false }
  const store: KitObjectStore = {
    at: (key) => ({ ...credentials, endpoint, bucket, key }),
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    ...honest,
    becomeHonest: () => void Object.assign(store, honest),
  }
  try {
    return await work(store)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function serve(store: KitObjectStore, request: IncomingMessage, answer: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://store')
  const sent = Buffer.concat(await request.toArray())
  const operation = operationOf(request.method ?? '', url)
  store.requests.push(operation)
  if (store.answerInstead(operation, answer)) return
  const wrong = wrongSignature(request, url, sent)
  if (wrong !== null) return refuse(answer, 403, wrong)
  const [, inBucket, ...rest] = decodeURIComponent(url.pathname).split('/')
  if (inBucket !== bucket) return refuse(answer, 404, 'NoSuchBucket')
  const key = rest.join('/')
  const body = isInChunks(request) ? withoutChunks(sent) : sent
  const upload = store.uploads.get(url.searchParams.get('uploadId') ?? '')
  switch (operation) {
    case 'PutObject':
      storeObject(store, key, body)
      return void answer.writeHead(200, { etag: etagOf(body) }).end()
    case 'CreateMultipartUpload': {
      const id = randomUUID()
      store.uploads.set(id, new Map())
      return xml(answer, 'InitiateMultipartUploadResult', { Bucket: bucket, Key: key, UploadId: id })
    }
    case 'UploadPart':
      if (upload === undefined) return refuse(answer, 404, 'NoSuchUpload')
      upload.set(Number(url.searchParams.get('partNumber')), body)
      return void answer.writeHead(200, { etag: etagOf(body) }).end()
    case 'CompleteMultipartUpload': {
      if (upload === undefined) return refuse(answer, 404, 'NoSuchUpload')
      const numbers = [...String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => Number(number))
      const parts = numbers.map((number) => upload.get(number))
      if (parts.length === 0 || parts.includes(undefined)) return refuse(answer, 400, 'InvalidPart')
      const content = Buffer.concat(parts.filter((part) => part !== undefined))
      storeObject(store, key, content)
      store.uploads.delete(url.searchParams.get('uploadId') ?? '')
      return xml(answer, 'CompleteMultipartUploadResult', { Bucket: bucket, Key: key, ETag: etagOf(content) })
    }
    case 'AbortMultipartUpload':
      store.uploads.delete(url.searchParams.get('uploadId') ?? '')
      return void answer.writeHead(204).end()
    case 'GetObject':
    case 'HeadObject':
      return give(store.objects.get(key), request, answer)
    default:
      return refuse(answer, 501, 'NotImplemented')
  }
}

function operationOf(method: string, { searchParams, pathname }: URL): Operation {
  const has = (name: string) => searchParams.has(name)
  if (pathname.split('/').length < 3) return 'other'
  if (method === 'PUT') return has('partNumber') ? 'UploadPart' : 'PutObject'
  if (method === 'POST') return has('uploads') ? 'CreateMultipartUpload' : 'CompleteMultipartUpload'
  if (method === 'DELETE') return has('uploadId') ? 'AbortMultipartUpload' : 'other'
  return method === 'GET' ? 'GetObject' : 'HeadObject'
}

function storeObject({ objects, stores }: KitObjectStore, key: string, content: Buffer): void {
  const stored = stores(content)
  if (stored === null) objects.delete(key)
  else objects.set(key, stored)
}

function give(content: Buffer | undefined, { headers, method }: IncomingMessage, answer: ServerResponse): void {
  if (content === undefined) {
    refuse(answer, 404, 'NoSuchKey')
    return
  }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  const [from, to] = [Number(first ?? 0), last ? Math.min(Number(last) + 1, content.length) : content.length]
  const range = first === undefined ? {} : { 'content-range': `bytes ${from}-${to - 1}/${content.length}` }
  answer.writeHead(first === undefined ? 200 : 206, { etag: etagOf(content), 'content-length': to - from, ...range })
  answer.end(method === 'HEAD' ? undefined : content.subarray(from, to))
}

const etagOf = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`

function xml(answer: ServerResponse, name: string, fields: Record<string, string>, status = 200): void {
  const inner = Object.entries(fields).map(([field, value]) => `<${field}>${value.replace(/[&<>]/g, '')}</${field}>`)
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>${inner.join('')}</${name}>`
  answer.writeHead(status, { 'content-type': 'application/xml' }).end(text)
}

/** A refusal in the words of a store. */
export function refuse(answer: ServerResponse, status: number, code: string): void {
  xml(answer, 'Error', { Code: code, Message: 'It is refused.' }, status)
}

const isInChunks = ({ headers }: IncomingMessage) =>
  String(headers['x-amz-content-sha256']).startsWith('STREAMING-') ||
  String(headers['content-encoding']).includes('aws-chunked')

/** What `aws-chunked` holds: chunks as `<hexadecimal size>[;…]\r\n<content>\r\n`, the last one is empty. */
function withoutChunks(sent: Buffer): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < sent.length; ) {
    const lineEnd = sent.indexOf('\r\n', at)
    const size = Number.parseInt(sent.toString('latin1', at, lineEnd), 16)
    if (!(size > 0)) break
    chunks.push(sent.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return Buffer.concat(chunks)
}

/** Verifies AWS Signature Version 4. @returns the code of the refusal; null: the request is signed as it has to be */
function wrongSignature({ method = '', headers }: IncomingMessage, url: URL, sent: Buffer): string | null {
  const found = /^AWS4-HMAC-SHA256 Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  )
  if (found === null) return 'AccessDenied'
  const [, credential = '', signedHeaders = '', signature] = found
  const [accessKey, day = '', region, service, end] = credential.split('/')
  if (accessKey !== credentials.accessKey) return 'InvalidAccessKeyId'
  if (headers['x-amz-security-token'] !== credentials.sessionToken) return 'InvalidToken'
  const names = signedHeaders.split(';')
  const hash = String(headers['x-amz-content-sha256'])
  const isOfBody = !/^[0-9a-f]{64}$/.test(hash) || hash === sha256(sent)
  if (!names.includes('host') || !names.includes('x-amz-content-sha256') || !isOfBody) return 'SignatureDoesNotMatch'
  const path = decodeURIComponent(url.pathname).split('/').map(encoded).join('/')
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted()
  const lines = names.map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  )
  const canonical = [method, path, query.join('&'), lines.join(''), signedHeaders, hash].join('\n')
  const scope = [day, region, service, end].join('/')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = [day, credentials.region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (from, part) => createHmac('sha256', from).update(part).digest(),
    `AWS4${credentials.secretKey}`,
  )
  const isRight = createHmac('sha256', key).update(toSign).digest('hex') === signature
  return isRight ? null : 'SignatureDoesNotMatch'
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

function encoded(text: string): string {
  const upper = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replace(/[!'()*]/g, upper)
}
