/** One connection to a region: the session, the time limit, and the interpretation of answers. */
import type { z } from 'zod'
import { boundedJson, inForm } from '../bounds.ts'
import { type CallMark, markHeaders } from '../mark.ts'
import { type MinimumRate, slowestRate } from '../rate-meter.ts'
import type { RegionAnswer, RegionRoute } from '../route.ts'
import { type RegionRoutes, regionBasePath, regionRoutes } from '../routes.ts'
import type { RegionStatus } from '../schemas.ts'
import { boundedText } from './bounded-text.ts'
import { NotARegion, RegionRefusal, RegionUnreachable, reasonOf } from './errors.ts'
import { refusalOf } from './refusal-of.ts'
import { type JsonRoute, type RegionCallInput, requestOf } from './request.ts'

export interface RegionAddress {
  /** Such as `https://region.example:8443`. */
  url: string
  userName: string
  password: string
}

export interface RegionClientOptions {
  /** For one call, and for a pause within a file's content; default 20. */
  timeoutSeconds?: number
  /** The minimum rate for the content of a file; by default below that of any real connection. */
  slowest?: MinimumRate
  /** Aborts every call of this client. */
  signal?: AbortSignal
  /** Shared by clients of one region and login, so that only the first has to sign in. */
  login?: SharedLogin
  /** Wraps each call that is part of an operation, but not the content of files. */
  around?: <T>(mark: CallMark, send: () => Promise<T>) => Promise<T>
  /** Called after each sign-in with the instance that answers, before any other call; its error becomes the call's. */
  onSignIn?: (status: RegionStatus) => Promise<void>
}

export interface SharedLogin {
  token: string | null
}

interface Exchange {
  method: string
  /** Below the base path, without a leading slash. */
  path: string
  headers?: Record<string, string>
  /** Made again for each try. */
  body?: () => string | ReadableStream<Uint8Array> | null
  /** Instead of the client's time limit. */
  signal?: AbortSignal
}

export interface Caller {
  timeoutSeconds: number
  slowest: MinimumRate
  /** Makes a call of the route table that takes and answers JSON. @throws {RegionRefusal | RegionUnreachable} */
  call<Name extends JsonRoute>(
    name: Name,
    input: RegionCallInput<RegionRoutes[Name]>,
    mark?: CallMark,
  ): Promise<RegionAnswer<RegionRoutes[Name]>>
  /** Sends with the session's token, and again after a new sign-in when it was refused. Any status is an answer. */
  exchange(exchange: Exchange): Promise<Response>
}

export function createCaller(address: RegionAddress, options: RegionClientOptions): Caller {
  const base = `${address.url.replace(/\/+$/, '')}${regionBasePath}/`
  const timeoutSeconds = options.timeoutSeconds ?? 20
  const slowest = options.slowest ?? slowestRate
  const login = options.login ?? { token: null }
  let signingIn: Promise<string> | null = null

  async function send({ method, path, headers, body, signal }: Exchange): Promise<Response> {
    const limit = signal ?? AbortSignal.timeout(timeoutSeconds * 1000)
    const content = body?.() ?? null
    try {
      return await fetch(base + path, {
        method,
        headers: headers ?? {},
        body: content,
        redirect: 'manual',
        signal: options.signal ? AbortSignal.any([limit, options.signal]) : limit,
        ...(content instanceof ReadableStream ? streaming : {}),
      })
    } catch (error) {
      options.signal?.throwIfAborted()
      throw new RegionUnreachable(reasonOf(error))
    }
  }

  async function signIn(): Promise<string> {
    const { userName, password } = address
    const response = await send({
      ...requestOf('signIn', {}),
      headers: json,
      body: () => JSON.stringify({ userName, password }),
    })
    if (!response.ok) throw await refusalOf(response)
    const { token } = await parsed(response, regionRoutes.signIn.answer)
    if (options.onSignIn !== undefined) await options.onSignIn(await askStatus(token))
    login.token = token
    return token
  }

  async function askStatus(token: string): Promise<RegionStatus> {
    const response = await send({ ...requestOf('status', {}), headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw await refusalOf(response)
    return parsed(response, regionRoutes.status.answer)
  }

  /** Calls that run side by side share one sign-in. */
  function signedIn(): Promise<string> {
    signingIn ??= signIn().finally(() => {
      signingIn = null
    })
    return signingIn
  }

  async function exchange(request: Exchange): Promise<Response> {
    const withToken = (bearer: string) => ({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${bearer}` },
    })
    const used = login.token ?? (await signedIn())
    const response = await send(withToken(used))
    if (response.status !== 401) return response
    await response.body?.cancel()
    const fresh = login.token !== null && login.token !== used ? login.token : await signedIn()
    const again = await send(withToken(fresh))
    if (again.status !== 401) return again
    // The sign-in was a moment ago: a region that has been restarted since does not know it any more.
    await again.body?.cancel()
    throw new RegionUnreachable('it has forgotten its session again')
  }

  function call<Name extends JsonRoute>(name: Name, input: LooseInput, mark?: CallMark) {
    const sendIt = () => callOnce(name, input, mark)
    return mark === undefined || options.around === undefined ? sendIt() : options.around(mark, sendIt)
  }

  async function callOnce(name: JsonRoute, { body, ...target }: LooseInput, mark?: CallMark) {
    const { answer }: RegionRoute = regionRoutes[name]
    const response = await exchange({
      ...requestOf(name, target),
      headers: { ...(body === undefined ? {} : json), ...markHeaders(mark) },
      ...(body === undefined ? {} : { body: () => JSON.stringify(body) }),
    })
    if (!response.ok) throw await refusalOf(response)
    if (typeof answer !== 'string') return parsed(response, answer)
    await response.body?.cancel()
    // The page of a proxy is not an answer of the region.
    if (response.status !== noContent) throw new NotARegion(response.status)
    return undefined
  }
  return { timeoutSeconds, slowest, exchange, call: call as Caller['call'] }
}

interface LooseInput {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

const noContent = 204

/** In any other mode fetch buffers a stream that it sends, in case of a redirect. */
const streaming = { duplex: 'half', redirect: 'error', window: null } as const

const json = { 'content-type': 'application/json' }

/** The answer's body in the form of the schema. @throws {RegionRefusal} when it has another form. */
export async function parsed<S extends z.ZodType>(response: Response, schema: S): Promise<z.output<S>> {
  const text = await boundedText(response).catch((error: unknown) => {
    throw error instanceof RegionRefusal ? error : new RegionUnreachable(reasonOf(error))
  })
  const answer = inForm(schema, boundedJson(text))
  if (answer !== null) return answer
  throw new RegionRefusal(502, 'about:blank', 'The region answered in a form that this console does not understand.')
}
