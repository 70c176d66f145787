/**
 * Calls again where that is safe and helps: when the server was not reached, when a proxy before it has no server to
 * ask, when its database is away, and when it says how long to wait.
 */
import { Failure } from '#failure.ts'
import type { Terminal } from '#terminal/terminal.ts'
import type { Login } from './stored-login.ts'

/** How long a call is tried again when the server does not answer: one of its processes may just be replaced. */
const usualPatienceSeconds = 60
/** A server that has not answered yet gets less time, so that a wrong address shows soon. */
const firstPatienceSeconds = 5

/** Limits the sum of the pauses that the server asks for: a single one is a minute at most. */
const longestWaitSeconds = 60

/** The calls of one command to one server. */
export interface Connection {
  terminal: Terminal
  login: Login
  hasAnswered: boolean
}

interface FetchOptions {
  /** Whether the call, made twice, does the same as once. */
  isRepeatable: boolean
  /** How long the whole answer may take; null: there is no limit but that of `make`. */
  answerSeconds: number | null
  signal?: AbortSignal | null
}

export function fetchWithRetries(
  connection: Connection,
  url: string,
  init: RequestInit,
  options: FetchOptions,
): Promise<Response> {
  // A redirect could send the token to another host.
  return callWithRetries(connection, url, (signal) => fetch(url, { ...init, redirect: 'manual', signal }), options)
}

type Make = (signal: AbortSignal) => Promise<Response>

/**
 * @param make makes the call, once, and follows no redirect
 * @returns an answer that is whole, where its time is limited @throws Failure; what the signal was aborted with
 */
export async function callWithRetries(
  connection: Connection,
  url: string,
  make: Make,
  options: FetchOptions,
): Promise<Response> {
  const { clock } = connection.terminal
  let deadline: number | null = null
  let busySeconds = 0
  for (let tries = 1; ; tries += 1) {
    const outcome = await tryOnce(connection, url, make, options)
    // From the first failure on: a call that hangs would otherwise use it up.
    deadline ??= clock.now() + (connection.hasAnswered ? usualPatienceSeconds : firstPatienceSeconds) * 1000
    const seconds = secondsToNextTry(outcome, options, tries)
    if (isBusy(outcome)) busySeconds += seconds ?? 0
    const isTooLong = isBusy(outcome)
      ? busySeconds > longestWaitSeconds
      : clock.now() + (seconds ?? 0) * 1000 > deadline
    if (seconds === null || isTooLong) {
      if ('response' in outcome) return outcome.response
      throw unreachable(url, outcome, options)
    }
    if (isBusy(outcome)) connection.terminal.note(`The server is busy; trying again in ${Math.ceil(seconds)} s …`)
    else if (tries === 2) connection.terminal.note('The server does not answer; trying again …')
    if ('response' in outcome) await outcome.response.body?.cancel()
    await clock.pause(seconds * 1000, options.signal ?? undefined).catch((error: unknown) => {
      options.signal?.throwIfAborted()
      throw error
    })
  }
}

type Outcome = { response: Response } | { error: unknown; isLate: boolean }

async function tryOnce(
  connection: Connection,
  url: string,
  make: Make,
  { answerSeconds, signal }: FetchOptions,
): Promise<Outcome> {
  const late = new AbortController()
  const ended = new AbortController()
  if (answerSeconds !== null)
    connection.terminal.clock.pause(answerSeconds * 1000, ended.signal).then(
      () => late.abort(),
      () => undefined,
    )
  const either = signal == null ? late.signal : AbortSignal.any([late.signal, signal])
  try {
    const response = await make(either)
    if (response.status >= 300 && response.status < 400) throw redirected(response, url)
    connection.hasAnswered = true
    return { response: answerSeconds === null ? response : await wholeOf(response) }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Failure) throw error
    return { error, isLate: late.signal.aborted }
  } finally {
    ended.abort()
  }
}

/** The process that answers may die, or stall, before its answer is complete. */
async function wholeOf(response: Response): Promise<Response> {
  const { status, statusText, headers } = response
  const body = await response.arrayBuffer()
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
}

function isBusy(outcome: Outcome): boolean {
  return 'response' in outcome && outcome.response.status === 429
}

/** @returns null: it is not tried again */
function secondsToNextTry(outcome: Outcome, { isRepeatable }: FetchOptions, tries: number): number | null {
  if ('error' in outcome) {
    const code = codeOf(outcome.error)
    if (code === 'ENOTFOUND' || code === withoutTls || isAboutCertificate(code)) return null
    return isRepeatable || code === 'ECONNREFUSED' ? pauseSeconds(tries) : null
  }
  const { status, headers } = outcome.response
  // Refused before anything was done.
  if (status === 429) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    return Number.isNaN(seconds) ? null : Math.max(seconds, pauseSeconds(tries))
  }
  return isRepeatable && (status === 502 || status === 503 || status === 504) ? pauseSeconds(tries) : null
}

const firstPauseSeconds = 0.2
const longestPauseSeconds = 3

/** @param tries so far, from 1 */
function pauseSeconds(tries: number): number {
  return Math.min(firstPauseSeconds * 2 ** (tries - 1), longestPauseSeconds)
}

function unreachable(url: string, outcome: Extract<Outcome, { error: unknown }>, { answerSeconds }: FetchOptions) {
  const { origin } = new URL(url)
  const why = outcome.isLate ? `no answer within ${answerSeconds} s` : whyUnreachable(outcome.error)
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
    case 'EPIPE':
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection was cut'
    case withoutTls:
      return 'what answers there speaks no https'
    default:
      return isAboutCertificate(code) ? `its certificate is not trusted (${code})` : (code ?? innermost(error))
  }
}

/** The code of an answer in plain text where TLS was expected. */
const withoutTls = 'ERR_SSL_WRONG_VERSION_NUMBER'

function isAboutCertificate(code: string | null): boolean {
  return code !== null && /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)
}

/** @returns the message of the first cause, such as `bad port` */
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
