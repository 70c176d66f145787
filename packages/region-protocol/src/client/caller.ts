/** Makes the calls to one region: keeps the session, limits the time, and interprets answers. */
import { boundedJson } from '../bounds.ts'
import type { Capability } from '../capabilities.ts'
import { type CallMark, markHeaders } from '../mark.ts'
import { type MinimumRate, slowestRate } from '../rate-meter.ts'
import type { RegionAnswer, RegionRoute } from '../route.ts'
import { type RegionRouteName, type RegionRoutes, regionBasePath, regionRoutes } from '../routes.ts'
import { protocolVersion, type RegionStatus } from '../schemas.ts'
import { boundedText } from './bounded-text.ts'
import { NotARegion, OtherProtocolVersion, RegionRefusal, RegionUnreachable, reasonOf, WrongForm } from './errors.ts'
import { refusalOf } from './refusal-of.ts'
import { type CallRequest, type JsonRoute, nameOfCall, type RegionCallInput, requestOf } from './request.ts'
import { requireForm } from './require-form.ts'

export interface RegionAddress {
  /** Such as `https://region.example:8443`. */
  url: string
  userName: string
  password: string
}

export interface RegionClientOptions {
  /** The time limit for a call, and for silence within a file's content; default 20. */
  timeoutSeconds?: number
  /** The minimum rate for a file's content; default: far below the rate of any real connection. */
  slowest?: MinimumRate
  /** Aborts every call of this client. */
  signal?: AbortSignal
  /** Share it between clients with the same region and login, so that only the first one signs in. */
  login?: SharedLogin
  /** Wraps each call that is part of an operation, except transfers of files. */
  around?: <T>(mark: CallMark, send: () => Promise<T>) => Promise<T>
  /** Called with the region's status after each sign-in, before any other call. If it throws, the call throws that. */
  onSignIn?: (status: RegionStatus) => Promise<void>
  /** The error that a refused sign-in throws; by default the refusal itself. */
  signInRefused?: (refusal: RegionRefusal | NotARegion) => Error
  /**
   * Called after each call that was answered as asked, and after each that got no answer; a refusal tells neither, nor
   * does an upload that breaks off, because its source may have.
   * @param begunAt when the call began, on the clock of `performance.now()`
   */
  onOutcome?: (outcome: 'answers' | 'unreachable', begunAt: number) => void
  /** Wraps each request, to make it part of a trace. `send` sends it, with these headers besides its own. */
  traced?: (call: RegionRouteName, send: (headers: Record<string, string>) => Promise<Response>) => Promise<Response>
  /** The region's name, for errors while the content of its files is read, by whomever. */
  region?: string
}

export interface SharedLogin {
  token: string | null
  /** As the region's newest status told; null or absent: it has not been asked in this session. */
  capabilities?: readonly Capability[] | null
}

/** The path is below the base path, without a leading slash. */
export interface Exchange extends CallRequest {
  headers?: Record<string, string>
  /** Called again for each try. */
  body?: () => string | ReadableStream<Uint8Array> | null
  /** Replaces the client's time limit. */
  signal?: AbortSignal
}

export interface Caller {
  /** The name that errors tell. */
  region: string | null
  timeoutSeconds: number
  slowest: MinimumRate
  /** Makes a call of the route table whose body and answer are JSON. @throws {RegionRefusal | RegionUnreachable} */
  call<Name extends JsonRoute>(
    name: Name,
    input: RegionCallInput<RegionRoutes[Name]>,
    mark?: CallMark,
  ): Promise<RegionAnswer<RegionRoutes[Name]>>
  status(): Promise<RegionStatus>
  /** Whether the region has this, as it said after the sign-in or in a later status. */
  offers(capability: Capability): Promise<boolean>
  /** Sends with the session's token; after a 401, signs in and sends once more. Any other status is returned. */
  exchange(exchange: Exchange): Promise<Response>
}

export function createCaller(address: RegionAddress, options: RegionClientOptions): Caller {
  const timeoutSeconds = options.timeoutSeconds ?? 20
  const slowest = options.slowest ?? slowestRate
  const login = options.login ?? { token: null }
  let signingIn: Promise<string> | null = null

  const send = createSender(address.url, { ...options, timeoutSeconds })

  async function signIn(): Promise<string> {
    const { userName, password } = address
    const response = await send({
      ...requestOf('signIn', {}),
      headers: json,
      body: () => JSON.stringify({ userName, password }),
    })
    if (!response.ok) {
      const refusal = await refusalOf(response)
      throw options.signInRefused?.(refusal) ?? refusal
    }
    const { token } = await parsed(response, 'signIn')
    login.capabilities = null
    if (options.onSignIn !== undefined) {
      const told = await askStatus(token)
      await options.onSignIn(told).catch((error: unknown) => {
        // It may be another server, whose capabilities say nothing about the region.
        login.capabilities = null
        throw error
      })
    }
    login.token = token
    return token
  }

  async function askStatus(token: string): Promise<RegionStatus> {
    const response = await send({ ...requestOf('status', {}), headers: { authorization: `Bearer ${token}` } })
    if (!response.ok) throw await refusalOf(response)
    return noted(await parsed(response, 'status'))
  }

  function noted(status: RegionStatus): RegionStatus {
    const { protocolVersion: version } = status
    if (version !== protocolVersion) {
      options.onOutcome?.('unreachable', performance.now())
      throw new OtherProtocolVersion(version, protocolVersion)
    }
    login.capabilities = status.capabilities
    return status
  }

  const status = async () => noted((await call('status', {})) as RegionStatus)

  async function offers(capability: Capability): Promise<boolean> {
    if (login.token === null) await signedIn()
    return (login.capabilities ?? (await status()).capabilities).includes(capability)
  }

  /** Concurrent calls share one sign-in. */
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
    if (response.ok) options.onOutcome?.('answers', performance.now())
    if (response.status !== 401) return response
    await response.body?.cancel()
    const fresh = login.token !== null && login.token !== used ? login.token : await signedIn()
    const again = await send(withToken(fresh))
    if (again.status !== 401) return again
    // We signed in a moment ago. A region that restarted in between has forgotten that session, so this is transient.
    await again.body?.cancel()
    throw new RegionUnreachable('it has forgotten its session again')
  }

  function call(name: JsonRoute, input: LooseInput, mark?: CallMark) {
    const sendIt = () => callOnce(name, input, mark)
    return mark === undefined || options.around === undefined ? sendIt() : options.around(mark, sendIt)
  }

  async function callOnce(name: JsonRoute, { body, ...target }: LooseInput, mark?: CallMark): Promise<unknown> {
    const response = await exchange({
      ...requestOf(name, target),
      headers: { ...(body === undefined ? {} : json), ...markHeaders(mark) },
      ...(body === undefined ? {} : { body: () => JSON.stringify(body) }),
    })
    if (!response.ok) throw await refusalOf(response)
    return parsed(response, name)
  }
  return {
    region: options.region ?? null,
    timeoutSeconds,
    slowest,
    exchange,
    status,
    offers,
    call: call as Caller['call'],
  }
}

/** @returns a function that sends one request below the region's base path, within the time limit */
export function createSender(
  url: string,
  options: Pick<RegionClientOptions, 'signal' | 'onOutcome' | 'traced'> & { timeoutSeconds: number },
): (exchange: Exchange) => Promise<Response> {
  const base = `${url.replace(/\/+$/, '')}${regionBasePath}/`
  const { traced } = options
  return (exchange) =>
    traced === undefined ? send(exchange, {}) : traced(exchange.name, (more) => send(exchange, more))

  async function send({ method, path, headers, body, signal }: Exchange, more: Record<string, string>) {
    const limit = signal ?? AbortSignal.timeout(options.timeoutSeconds * 1000)
    const content = body?.() ?? null
    const begunAt = performance.now()
    try {
      return await fetch(base + path, {
        method,
        headers: { ...headers, ...more },
        body: content,
        redirect: 'manual',
        signal: options.signal ? AbortSignal.any([limit, options.signal]) : limit,
        ...(content instanceof ReadableStream ? streaming : {}),
      })
    } catch (error) {
      const isUpload = content instanceof ReadableStream
      if (!isUpload && !wasStopped(options.signal) && !wasStopped(signal)) options.onOutcome?.('unreachable', begunAt)
      options.signal?.throwIfAborted()
      throw new RegionUnreachable(reasonOf(error))
    }
  }
}

/** Whether the caller stopped the call. A time limit is no such stop, because it says something about the region. */
function wasStopped(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.reason
  return reason !== undefined && !(reason instanceof DOMException && reason.code === DOMException.TIMEOUT_ERR)
}

interface LooseInput {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
  body?: unknown
}

const noContent = 204

/** In any other mode, fetch buffers a streamed body in case it has to follow a redirect. */
const streaming = { duplex: 'half', redirect: 'error', window: null } as const

const json = { 'content-type': 'application/json' }

/** What the region has answered to this call. @throws {RegionRefusal | RegionUnreachable} */
export async function parsed<Name extends JsonRoute | 'putFile'>(
  response: Response,
  name: Name,
): Promise<RegionAnswer<RegionRoutes[Name]>> {
  const { answer }: RegionRoute = regionRoutes[name]
  if (typeof answer === 'string') {
    await response.body?.cancel()
    // Any other status than 204, such as that of a proxy's page, does not come from a region.
    if (response.status !== noContent) throw new NotARegion(response.status, nameOfCall(name))
    return undefined as RegionAnswer<RegionRoutes[Name]>
  }
  const text = await boundedText(response).catch((error: unknown) => {
    throw error instanceof RegionRefusal ? error : new RegionUnreachable(reasonOf(error))
  })
  const what = `answer to ${nameOfCall(name)}`
  const told = boundedJson(text)
  if (told === undefined)
    throw new WrongForm(
      what,
      `expected JSON of at most a million elements, but it is ${text === '' ? 'empty' : 'none'}`,
    )
  return requireForm(answer, told, what) as RegionAnswer<RegionRoutes[Name]>
}
