/**
 * The console's part of the second factor: sends the operator to the identity provider (code flow with PKCE) and takes
 * what comes back to the server, which redeems the code. What has to survive the redirect is kept in session storage.
 */
import type { OperatorSession } from '@roomkeeper/contract'
import { client } from '#api/client.ts'
import { textOf } from '#api/text-of-error.ts'
import { forgetSecondFactor, secondFactorKey as key, passSecondFactor } from './session.ts'

/** Why it did not work: a text of the console, or the words of the server. */
export type SecondFactorFailure = 'provider' | 'refused' | 'foreign' | 'insecure' | { text: string }

export class SecondFactorError extends Error {
  readonly why: SecondFactorFailure
  constructor(why: SecondFactorFailure) {
    super('The second factor failed.')
    this.why = why
  }
}

interface Flow {
  state: string
  nonce: string
  codeVerifier: string
  /** The page that was asked for. */
  returnTo: string | null
}

export const secondFactorPath = '/project/mfa_okta'
const redirectUri = () => location.origin + secondFactorPath

/** Leaves for the identity provider. @throws {SecondFactorError} when it cannot be reached */
export async function startSecondFactor(operator: OperatorSession, returnTo: string | null): Promise<void> {
  // Without https browsers do not hash, and whoever listens could take part.
  if (!isSecureContext) throw new SecondFactorError('insecure')
  const { issuer, clientId } = (await client.call('oktaConfig', {}).catch(fail)).body
  const endpoint = await findAuthorizationEndpoint(issuer)
  const flow: Flow = {
    state: randomText(),
    nonce: randomText(),
    codeVerifier: randomText(),
    returnTo: returnTo ?? readFlow()?.returnTo ?? null,
  }
  sessionStorage.setItem(key, JSON.stringify(flow))
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri(),
    scope: 'openid email',
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await challengeOf(flow.codeVerifier),
    code_challenge_method: 'S256',
    login_hint: operator.email,
  }
  for (const [name, value] of Object.entries(query)) endpoint.searchParams.set(name, value)
  location.assign(endpoint)
}

/** Whether the identity provider has sent the operator back with an answer. */
export function hasAnswer(answer: URLSearchParams): boolean {
  return answer.has('code') || answer.has('error')
}

/** @returns the page that was asked for, if any. @throws {SecondFactorError} */
export async function finishSecondFactor(answer: URLSearchParams): Promise<string | null> {
  const flow = readFlow()
  const code = answer.get('code')
  if (flow === null || answer.get('state') !== flow.state) throw new SecondFactorError('foreign')
  if (code === null) throw new SecondFactorError('refused')
  const { issuer } = (await client.call('oktaConfig', {}).catch(fail)).body
  const answeredBy = answer.get('iss')
  if (answeredBy !== null && !isSameIssuer(answeredBy, issuer)) throw new SecondFactorError('foreign')
  const { codeVerifier, nonce, returnTo } = flow
  await passSecondFactor({ code, codeVerifier, nonce, redirectUri: redirectUri() }).catch(fail)
  forgetSecondFactor()
  return returnTo
}

function fail(error: unknown): never {
  throw new SecondFactorError({ text: textOf(error) })
}

async function findAuthorizationEndpoint(issuer: string): Promise<URL> {
  try {
    const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
      signal: AbortSignal.timeout(10_000),
    })
    const found = (await answer.json()) as { issuer?: string; authorization_endpoint?: string }
    const endpoint = new URL(found.authorization_endpoint ?? '')
    if (!isSameIssuer(found.issuer ?? '', issuer) || !/^https?:$/.test(endpoint.protocol)) throw new Error('Not it.')
    return endpoint
  } catch {
    throw new SecondFactorError('provider')
  }
}

function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '')
}

function readFlow(): Flow | null {
  const kept = sessionStorage.getItem(key)
  return kept === null ? null : (JSON.parse(kept) as Flow)
}

/** 256 bits, base64url. */
function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)))
}

async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
