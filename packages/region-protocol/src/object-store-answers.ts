/**
 * Limits the length and duration of an object store's answers, for the console and the regions. The store's client
 * buffers every answer in full, except the content of an object.
 */
import { Readable } from 'node:stream'
import type { MinimumRate } from './rate-meter.ts'

/** A successful answer that is longer, or takes longer, than any list or confirmation. */
export class EndlessAnswer extends Error {
  override readonly name = 'EndlessAnswer'
  readonly code = 'ENDLESS_ANSWER'
}

/** A successful status with a body that is not S3's, such as the page of a proxy. The call must not count as done. */
class StrangeAnswer extends Error {
  override readonly name = 'StrangeAnswer'
  /** The name that the store's client gives to unreadable answers. */
  readonly $metadata: { httpStatusCode: number }
  constructor(httpStatusCode: number) {
    super('It is not in the form of such answers.')
    this.$metadata = { httpStatusCode }
  }
}

/**
 * The S3 error code of a store's refusal. Null if the answer has none, such as the answer to a HEAD or the page of a
 * proxy. The error's name is no substitute: the client uses the code as name, but makes a name up where it has none.
 */
export function storeErrorCode(error: unknown): string | null {
  const { $metadata, Code } = (error ?? {}) as { $metadata?: unknown; Code?: unknown }
  return $metadata !== undefined && typeof Code === 'string' && Code !== '' ? Code : null
}

interface StoreRequest {
  method?: string
  query?: Record<string, unknown>
  headers?: Record<string, string>
}
interface HandlerOptions {
  abortSignal?: unknown
}
interface StoreReply {
  response: { statusCode: number; headers?: Record<string, string>; body?: unknown }
}

const errorBytes = 64 * 1024
const errorMilliseconds = 60_000
/** A page of a list holds 1,000 entries. The client parses an answer synchronously, which blocks the process. */
const answerBytes = 2 * 1024 * 1024
const listMilliseconds = 60_000
/** Completing a large upload takes a store minutes, and it sends blanks meanwhile. */
const answerMilliseconds = 15 * 60_000

/** The time limit until an answer begins: 15 minutes, and more for a call that sends content, at 1 kB/s. */
const slowestCall: MinimumRate = { bytes: 900_000, seconds: 15 * 60 }

/**
 * Wraps a store client's request handler with these limits. The body of an error that is too long is replaced by an
 * empty one. A call that exceeds the rate `slowest` before its answer begins fails with the code ETIMEDOUT.
 */
export function boundedAnswers<Request, Given extends HandlerOptions, Reply extends StoreReply>(
  handle: (request: Request, options?: Given) => Promise<Reply>,
  slowest: MinimumRate = slowestCall,
): (request: Request, options?: Given) => Promise<Reply> {
  return async (request, options) => {
    const reply = await inTime(request as StoreRequest, options, slowest, (within) => handle(request, within))
    const { response } = reply
    const { body, statusCode } = response
    if (!(body instanceof Readable)) return reply
    if (statusCode >= 300) response.body = Readable.from([(await beginning(body)) ?? Buffer.alloc(0)])
    else if (isContentOfObject(request as StoreRequest)) {
      if (isPageInPlaceOfObject(response.headers)) {
        body.destroy()
        throw new StrangeAnswer(statusCode)
      }
    } else {
      const content = await whole(body, request as StoreRequest)
      if (!isOfStore(request as StoreRequest, response.headers?.['content-type'] ?? '', content.toString('latin1')))
        throw new StrangeAnswer(statusCode)
      response.body = Readable.from([content])
    }
    return reply
  }
}

async function inTime<Given extends HandlerOptions, Reply>(
  { headers = {} }: StoreRequest,
  options: Given | undefined,
  slowest: MinimumRate,
  handle: (options: Given) => Promise<Reply>,
): Promise<Reply> {
  const controller = new AbortController()
  const sent = Number(headers['content-length'] ?? 0)
  const timer = setTimeout(() => controller.abort(), slowest.seconds * (1 + sent / slowest.bytes) * 1000)
  const given = options?.abortSignal
  const either = given instanceof AbortSignal ? AbortSignal.any([given, controller.signal]) : controller.signal
  try {
    return await handle({ ...options, abortSignal: either } as Given)
  } catch (error) {
    if (!controller.signal.aborted) throw error
    throw Object.assign(new Error('It takes too long.'), { name: 'TimeoutError', code: 'ETIMEDOUT' })
  } finally {
    clearTimeout(timer)
  }
}

function isContentOfObject({ query }: StoreRequest): boolean {
  return query?.['x-id'] === 'GetObject'
}

/** A store gives an ETag with each object, whatever is in it. */
function isPageInPlaceOfObject({ etag, 'content-type': type = '' }: Record<string, string> = {}): boolean {
  return etag === undefined && isPage(type)
}

function isPage(type: string): boolean {
  return /^\s*text\/html/i.test(type)
}

/** Whether the store itself can have sent the body: answers to PUT and DELETE are empty, all others are XML. */
function isOfStore({ method }: StoreRequest, type: string, text: string): boolean {
  if (method === 'HEAD') return !isPage(type)
  const isBlank = text.trim() === ''
  if (method === 'PUT' || method === 'DELETE') return isBlank
  return !isBlank && !isPage(type) && !/<html[\s>]/i.test(text) && !hasDoctype(text)
}

/** No answer of a store contains a doctype. The client scans the whole text for each one, which can take minutes. */
function hasDoctype(text: string): boolean {
  return /<!doctype/i.test(text)
}

/** The body of an error. Null if it is too long for an error, never ends, or is the page of a proxy. */
async function beginning(body: Readable): Promise<Buffer | null> {
  try {
    const content = await collected(body, errorBytes, errorMilliseconds)
    return hasDoctype(content.toString('latin1')) ? null : content
  } catch (error) {
    if (error instanceof EndlessAnswer) return null
    throw error
  }
}

function whole(body: Readable, { method }: StoreRequest): Promise<Buffer> {
  return collected(body, answerBytes, method === 'GET' ? listMilliseconds : answerMilliseconds)
}

/** @throws {EndlessAnswer} after closing the connection */
async function collected(body: Readable, most: number, milliseconds: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let read = 0
  const timer = setTimeout(() => body.destroy(new EndlessAnswer('It does not come to its end.')), milliseconds)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      read += chunk.length
      if (read > most) throw new EndlessAnswer('It is longer than any such answer.')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    clearTimeout(timer)
    body.destroy()
  }
}
