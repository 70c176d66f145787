/**
 * The console's part of the second factor: sends the operator to the identity provider (code flow with PKCE) and passes
 * the returned code to the server, which redeems it. Data that must survive the redirect is in session storage.
 */
import type { OperatorSession } from '@roomkeeper/contract'
import * as oauth from 'oauth4webapi'
import { client } from '#api/client.ts'
import { textOf } from '#locales/error-texts.ts'
import { secondFactorPath, secondFactorWindow } from './second-factor-window.ts'
import { forgetSecondFactor, secondFactorKey as key, passSecondFactor } from './session.ts'

/** Why the second factor failed: a text of the console or of the server. */
export type SecondFactorFailure = 'provider' | 'refused' | 'foreign' | 'insecure' | { text: string }

export class SecondFactorError extends Error {
  readonly why: SecondFactorFailure
  constructor(why: SecondFactorFailure) {
    super('The second factor failed.')
    this.why = why
  }
}

interface Flow {
  provider: oauth.AuthorizationServer
  clientId: string
  state: string
  nonce: string
  codeVerifier: string
  /** The page that the operator had requested. */
  returnTo: string | null
  /** Whether this window is only for the second factor; at the provider it may lose its name. */
  closes: boolean
}

const redirectUri = () => new URL(`.${secondFactorPath}`, document.baseURI).href

/**
 * Redirects to the identity provider.
 * @param account `any`: the provider asks who it is, instead of using the account that is signed in there
 * @throws {SecondFactorError} if the provider cannot be reached
 */
export async function startSecondFactor(
  operator: OperatorSession,
  returnTo: string | null,
  account: 'known' | 'any',
): Promise<void> {
  // Without https, browsers cannot hash, and an eavesdropper could take over the sign-in.
  if (!isSecureContext) throw new SecondFactorError('insecure')
  const { issuer, clientId } = (await client.call('oktaConfig', {}).catch(fail)).body
  const { authorization_endpoint: endpoint, ...provider } = await discover(issuer)
  const flow: Flow = {
    provider,
    clientId,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    codeVerifier: oauth.generateRandomCodeVerifier(),
    returnTo: returnTo ?? readFlow()?.returnTo ?? null,
    closes: window.name === secondFactorWindow,
  }
  sessionStorage.setItem(key, JSON.stringify(flow))
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope: 'openid email',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(flow.codeVerifier),
    code_challenge_method: 'S256',
    // Every provider knows `login`, not every one `select_account`.
    ...(account === 'any' ? { prompt: 'login' } : { login_hint: operator.email }),
  }
  for (const [name, value] of Object.entries(query)) endpoint.searchParams.set(name, value)
  location.assign(endpoint)
}

/** Whether the identity provider has redirected the operator back with an answer. */
export function hasAnswer(answer: URLSearchParams): boolean {
  return answer.has('code') || answer.has('error')
}

/** @returns the requested page, if any. @throws {SecondFactorError} */
export async function finishSecondFactor(answer: URLSearchParams): Promise<string | null> {
  const flow = readFlow()
  if (flow === null) throw new SecondFactorError('foreign')
  const { codeVerifier, nonce, returnTo, closes } = flow
  await passSecondFactor({ code: codeIn(answer, flow), codeVerifier, nonce, redirectUri: redirectUri() }).catch(fail)
  forgetSecondFactor()
  // The page that waits for it finds out by itself.
  if (closes) window.close()
  return returnTo
}

/** @throws {SecondFactorError} if the answer does not belong to the request or comes from another provider */
function codeIn(answer: URLSearchParams, { provider, clientId, state }: Flow): string {
  try {
    const code = oauth.validateAuthResponse(provider, { client_id: clientId }, answer, state).get('code')
    if (code !== null) return code
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw new SecondFactorError('foreign')
  }
  throw new SecondFactorError('refused')
}

function fail(error: unknown): never {
  throw new SecondFactorError({ text: textOf(error) })
}

/** The part of the provider's configuration that is needed, also for the answer. */
async function discover(configured: string) {
  try {
    const url = new URL(configured)
    const options = { [oauth.allowInsecureRequests]: url.protocol === 'http:', signal: AbortSignal.timeout(10_000) }
    const found = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options))
    const { issuer, authorization_response_iss_parameter_supported = false } = found
    const authorization_endpoint = new URL(found.authorization_endpoint ?? '')
    if (!/^https?:$/.test(authorization_endpoint.protocol)) throw new Error('Not it.')
    return { issuer, authorization_response_iss_parameter_supported, authorization_endpoint }
  } catch {
    throw new SecondFactorError('provider')
  }
}

function readFlow(): Flow | null {
  const kept = sessionStorage.getItem(key)
  return kept === null ? null : (JSON.parse(kept) as Flow)
}
