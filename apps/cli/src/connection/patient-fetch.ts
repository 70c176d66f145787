/**
 * Calls again where that is safe and helps: when the server was not reached, when a proxy before it has no server to
 * ask, when its database is away, and when it says how long to wait.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { Failure } from '#failure.ts'
import { say } from '#terminal/say.ts'
import { noteAnswer, patienceSeconds, pauseSeconds } from './patience.ts'

/** An edit is answered after up to 25 s, and after the wait for a database. */
const answerSeconds = 90
const longestWaitSeconds = 60

export interface FetchOptions {
  /** The same call, made twice, does the same as once. */
  isRepeatable: boolean
  /** Streams and uploads take as long as they take. */
  isLong: boolean
  signal?: AbortSignal | null
}

export async function patientFetch(url: string, init: RequestInit, options: FetchOptions): Promise<Response> {
  const deadline = Date.now() + patienceSeconds() * 1000
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(url, init, options)
    const seconds = secondsToNextTry(outcome, options, tries)
    if (seconds === null || Date.now() + seconds * 1000 > deadline) {
      if ('response' in outcome) return outcome.response
      throw unreachable(url, outcome)
    }
    if (tries === 2) say('The server does not answer; trying again …')
    if ('response' in outcome) await outcome.response.body?.cancel()
    await pause(seconds * 1000, undefined, options.signal == null ? {} : { signal: options.signal })
  }
}

type Outcome = { response: Response } | { error: unknown; isLate: boolean }

async function tryOnce(url: string, init: RequestInit, { isLong, signal }: FetchOptions): Promise<Outcome> {
  const late = isLong ? new AbortController().signal : AbortSignal.timeout(answerSeconds * 1000)
  const either = AbortSignal.any(signal == null ? [late] : [late, signal])
  try {
    // Elsewhere, the token would be sent to whoever answers there.
    const response = await fetch(url, { ...init, redirect: 'manual', signal: either })
    if (response.status >= 300 && response.status < 400) throw redirected(response, url)
    noteAnswer()
    return { response }
  } catch (error) {
    if (error instanceof Failure || signal?.aborted === true) throw error
    return { error, isLate: late.aborted }
  }
}

/** @returns null: it is not tried again */
function secondsToNextTry(outcome: Outcome, { isRepeatable }: FetchOptions, tries: number): number | null {
  if ('error' in outcome) {
    const code = codeOf(outcome.error)
    if (code === 'ENOTFOUND' || isAboutCertificate(code)) return null
    return isRepeatable || code === 'ECONNREFUSED' ? pauseSeconds(tries) : null
  }
  const { status, headers } = outcome.response
  // Refused before anything was done.
  if (status === 429) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    return seconds <= longestWaitSeconds ? Math.max(seconds, pauseSeconds(tries)) : null
  }
  return isRepeatable && (status === 502 || status === 503 || status === 504) ? pauseSeconds(tries) : null
}

function unreachable(url: string, { error, isLate }: Extract<Outcome, { error: unknown }>): Failure {
  const { origin } = new URL(url)
  const why = isLate ? `no answer within ${answerSeconds} s` : whyUnreachable(error)
  return new Failure('unreachable', `${origin} cannot be reached: ${why}.`)
}

function whyUnreachable(error: unknown): string {
  const code = codeOf(error)
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing answers at this address'
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name is unknown'
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection was cut'
    default:
      return isAboutCertificate(code) ? `its certificate is not trusted (${code})` : (code ?? innermost(error))
  }
}

function isAboutCertificate(code: string | null): boolean {
  return code !== null && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)
}

/** Such as `bad port`. */
function innermost(error: unknown): string {
  let message = 'the call failed'
  for (let each = error; each instanceof Error; each = each.cause) message = each.message
  return message
}

function codeOf(error: unknown): string | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') return each.code
  }
  return null
}

function redirected(response: Response, url: string): Failure {
  const to = response.headers.get('location')
  const where = to !== null && URL.canParse(to, url) ? new URL(to, url).origin : 'elsewhere'
  return new Failure('unreachable', `${new URL(url).origin} sends its callers to ${where}. Is the address right?`)
}
