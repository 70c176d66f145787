/** A real OpenID provider on a free port. Its users sign in with their e-mail address only. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type Provider from 'oidc-provider'
import type { ClientMetadata, JWK } from 'oidc-provider'

export interface RunningIdentityProvider {
  /** The value for OIDC_ISSUER; the one for OIDC_CLIENT_ID is `console`. */
  issuer: string
  /** Only consoles at these addresses may send their operators here from now on. */
  acceptConsoles(...addresses: string[]): void
  /** E-mail addresses that the provider has not verified. */
  unverified: Set<string>
  /** While true, the provider answers every request with 503. */
  isDown: boolean
  /** Signs in and follows the redirect, like a browser. @returns the code */
  codeFor(email: string, request: AuthorizationRequest): Promise<string>
  stop(): Promise<void>
}

export interface AuthorizationRequest {
  redirectUri: string
  /** SHA-256 of the verifier, base64url. */
  codeChallenge: string
  nonce: string
  clientId?: string
}

/** A client with a secret; `console` has none. */
export const confidentialClient = { id: 'confidential-console', secret: 'secret of the confidential client' }

export async function startIdentityProvider(): Promise<RunningIdentityProvider> {
  // Loaded here: it is a quarter of what all of dev-env takes to load, and few test files need it.
  const { default: OpenIdProvider } = await import('oidc-provider')
  let answer: RequestListener = (_, response) => response.writeHead(503).end()
  const http = createServer((request, response) => {
    if (running.isDown) response.writeHead(503, { 'access-control-allow-origin': '*' }).end()
    else answer(request, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const unverified = new Set<string>()
  const keys = { jwks: { keys: [signingKey()] }, cookies: { keys: [randomBytes(32).toString('base64url')] } }
  const running: RunningIdentityProvider = {
    issuer,
    unverified,
    isDown: false,
    acceptConsoles(...addresses) {
      const provider = createProvider(OpenIdProvider, issuer, addresses, unverified, keys)
      const speak = provider.callback()
      answer = (request, response) => {
        if (request.url?.startsWith('/interaction/') === true) void interact(provider, request, response)
        else void speak(request, response)
      }
    },
    codeFor: (email, request) => codeFor(issuer, email, request),
    async stop() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  running.acceptConsoles()
  return running
}

function createProvider(
  OpenIdProvider: typeof Provider,
  issuer: string,
  addresses: string[],
  unverified: Set<string>,
  keys: { jwks: { keys: JWK[] }; cookies: { keys: string[] } },
): Provider {
  const redirectUris = addresses.map((address) => `${address}/project/mfa_okta`)
  const client = (given: Partial<ClientMetadata> & { client_id: string }): ClientMetadata => ({
    redirect_uris: redirectUris.length === 0 ? ['http://127.0.0.1/nowhere'] : redirectUris,
    response_types: ['code'],
    grant_types: ['authorization_code'],
    ...given,
  })
  return new OpenIdProvider(issuer, {
    ...keys,
    clients: [
      client({ client_id: 'console', token_endpoint_auth_method: 'none' }),
      client({ client_id: 'another-application', token_endpoint_auth_method: 'none' }),
      client({ client_id: confidentialClient.id, client_secret: confidentialClient.secret }),
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    clientBasedCORS: () => true,
    ttl: { AccessToken: 60, AuthorizationCode: 60, IdToken: 60, Interaction: 600, Session: 600, Grant: 600 },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ sub, email: sub, email_verified: !unverified.has(sub) }),
    }),
    // Consent is always given.
    async loadExistingGrant({ oidc }) {
      const { client: asking, account } = oidc
      if (asking === undefined || account === undefined) return undefined
      const grant = new oidc.provider.Grant({ clientId: asking.clientId, accountId: account.accountId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
}

function signingKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'test' } as JWK
}

async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    return
  }
  const form = new URLSearchParams((await buffer(request)).toString())
  const isRefused = form.get('action') === 'refuse'
  const result = isRefused
    ? { error: 'access_denied', error_description: 'The person said no.' }
    : { login: { accountId: form.get('email') ?? '' } }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

const page = `<!doctype html><html lang="en"><title>Identity provider</title><main><h1>Identity provider</h1><form method="post">
<label>E-mail at the provider <input name="email"></label>
<button name="action" value="sign-in">Confirm it is me</button>
<button name="action" value="refuse">Refuse</button></form></main></html>`

async function codeFor(issuer: string, email: string, request: AuthorizationRequest): Promise<string> {
  const cookies = new Map<string, string>()
  const go = async (url: string, init: RequestInit = {}): Promise<string> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { ...init, headers: { ...init.headers, cookie }, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (name !== undefined && value !== undefined) cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null)
      throw new Error(`The identity provider did not redirect: ${answer.status} ${await answer.text()}`)
    return new URL(next, issuer).href
  }
  const query = new URLSearchParams({
    client_id: request.clientId ?? 'console',
    response_type: 'code',
    scope: 'openid email',
    redirect_uri: request.redirectUri,
    code_challenge: request.codeChallenge,
    code_challenge_method: 'S256',
    nonce: request.nonce,
    state: 'state',
  })
  const interaction = await go(`${issuer}/auth?${query}`)
  const resume = await go(interaction, { method: 'POST', body: new URLSearchParams({ email, action: 'sign-in' }) })
  const back = new URL(await go(resume))
  const code = back.searchParams.get('code')
  if (code === null) throw new Error(`The identity provider gave no code: ${back.searchParams.get('error')}`)
  return code
}
