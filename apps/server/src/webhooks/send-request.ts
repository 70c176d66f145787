/** One HTTP call to a receiver, which may be slow, endless or hostile. */
import { Agent as HttpAgent, type IncomingMessage, request as requestByHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https'
import type { DeliveryFailure } from '@roomkeeper/contract'
import { isTlsError } from '#platform/tls-errors.ts'
import { AddressForbidden, type AddressGuard } from './address-guard.ts'

export interface Answer {
  status: number
  /** Its first characters. */
  body: string
  milliseconds: number
}

export interface Tried {
  /** null: there was none, or not all of it in time. */
  answer: Answer | null
  /** null: it was answered with 2xx. */
  failure: DeliveryFailure | null
}

interface Outgoing {
  url: URL
  headers: Record<string, string>
  body: string
  /** Ends the try as one that took too long. */
  signal: AbortSignal
}

const longestBodyBytes = 64 * 1024
const keptCharacters = 2000

/** A new connection each time, and none through a proxy of the environment: the guard would judge the proxy's address. */
const agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) }

/** Never throws: whatever goes wrong is how the try went. */
export async function sendRequest(guard: AddressGuard, outgoing: Outgoing): Promise<Tried> {
  const began = performance.now()
  if (guard.forbiddenIn(outgoing.url) !== null) return { answer: null, failure: 'address-forbidden' }
  try {
    const response = await answerTo(guard, outgoing)
    const body = await readBeginning(response)
    const status = response.statusCode ?? 0
    return { answer: { status, body, milliseconds: Math.round(performance.now() - began) }, failure: failureOf(status) }
  } catch (error) {
    return { answer: null, failure: outgoing.signal.aborted ? 'timed-out' : whyFailed(error) }
  }
}

function answerTo(guard: AddressGuard, { url, headers, body, signal }: Outgoing): Promise<IncomingMessage> {
  const isHttps = url.protocol === 'https:'
  const request = isHttps ? requestByHttps : requestByHttp
  const agent = isHttps ? agents.https : agents.http
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent, lookup: guard.lookup, signal }, resolve)
      .on('error', reject)
      .end(body)
  })
}

/** What comes after the limit is not waited for: the answer says all with its status. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes >= longestBodyBytes) break
  }
  const text = Buffer.concat(parts).toString('utf8').replaceAll('\0', '\uFFFD')
  return text.slice(0, keptCharacters).toWellFormed()
}

function failureOf(status: number): DeliveryFailure | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirected' : 'refused'
}

function whyFailed(error: unknown): DeliveryFailure {
  const { code = '' } = error as NodeJS.ErrnoException
  if (error instanceof AddressForbidden) return 'address-forbidden'
  if (code === 'HPE_HEADER_OVERFLOW') return 'answer-too-long'
  if (code === 'ETIMEDOUT') return 'timed-out'
  return isTlsError(code) ? 'certificate' : 'unreachable'
}
