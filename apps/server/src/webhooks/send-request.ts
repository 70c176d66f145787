/** One HTTP call to a receiver, which may be slow, endless or hostile. */
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestByHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestByHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { DeliveryFailure } from '@roomkeeper/contract'
import { isTlsError } from '#platform/system-error.ts'
import { AddressForbidden, type AddressGuard } from './address-guard.ts'

export interface Answer {
  /** 0: an error of the connection to the mail server. */
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
  /** Another try would end the same, and it says nothing about the receiver: a refused mailbox, or nothing was sent. */
  isForGood?: true
}

interface Outgoing {
  url: URL
  headers: Record<string, string>
  body: string
  /** Two limits, so that the DNS of a name does not take the time of its receiver. */
  lookUpMilliseconds: number
  callMilliseconds: number
}

const longestBodyBytes = 64 * 1024
const keptCharacters = 2000
/** Answers that say that the answer comes later. */
const mostInformation = 20

/** A new connection each time, and none through a proxy of the environment: the guard would judge the proxy's address. */
const agents = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) }

/** Never throws, and ends in time: an error or a missing answer becomes the result of the try. */
export async function sendRequest(guard: AddressGuard, outgoing: Outgoing): Promise<Tried> {
  const { url, lookUpMilliseconds, callMilliseconds } = outgoing
  try {
    const lookUp = AbortSignal.timeout(lookUpMilliseconds)
    const addresses = await unlessAborted(lookUp, guard.addressesOf(url, lookUp))
    const began = performance.now()
    const { status, body } = await call(outgoing, lookUpOf(addresses), AbortSignal.timeout(callMilliseconds))
    return { answer: { status, body, milliseconds: Math.round(performance.now() - began) }, failure: failureOf(status) }
  } catch (error) {
    return { answer: null, failure: whyFailed(error) }
  }
}

/** Rejects with the signal's reason, also when what it was given to goes on for ever. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, aborted])
}

/** Nothing is resolved once more. */
function lookUpOf(addresses: Awaited<ReturnType<AddressGuard['addressesOf']>>): LookupFunction {
  const [first] = addresses
  return (_, { all }, callback) =>
    all === true ? callback(null, addresses) : callback(null, first.address, first.family)
}

async function call(
  { url, headers, body }: Outgoing,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Omit<Answer, 'milliseconds'>> {
  const isHttps = url.protocol === 'https:'
  const begin = isHttps ? requestByHttps : requestByHttp
  const request = begin(url, { method: 'POST', headers, agent: isHttps ? agents.https : agents.http, lookup })
  // What it says after it was given up.
  request.on('error', () => undefined)
  try {
    const answered = answerTo(request).then(async (response) => ({
      status: response.statusCode ?? 0,
      body: await readBeginning(response),
    }))
    request.end(body)
    return await unlessAborted(signal, answered)
  } finally {
    request.destroy()
  }
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let information = 0
    request
      .on('response', resolve)
      .on('information', () => {
        information += 1
        if (information > mostInformation) reject(tooLong)
      })
      // The request did not ask for another protocol, so this connection is not used.
      .on('upgrade', (response, socket) => {
        socket.on('error', () => undefined).destroy()
        resolve(response)
      })
      .on('error', reject)
      .on('close', () => reject(new Error('The connection was closed before an answer.')))
  })
}

const tooLong = Object.assign(new Error('The answer does not begin.'), { code: 'HPE_HEADER_OVERFLOW' })

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
  const { code = '', name } = error as NodeJS.ErrnoException
  if (error instanceof AddressForbidden) return 'address-forbidden'
  if (code === 'HPE_HEADER_OVERFLOW') return 'answer-too-long'
  if (name === 'TimeoutError' || code === 'ETIMEDOUT' || code === 'ETIMEOUT') return 'timed-out'
  return isTlsError(code) ? 'certificate' : 'unreachable'
}
