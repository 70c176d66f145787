/** The identity provider of the second factor. The server itself redeems its codes and trusts nothing else. */

import { because, type CodedReason, englishReason, type SecondFactor } from '@roomkeeper/contract'
import type * as openid from 'openid-client'
import { openIdLibrary } from '#platform/load-when-used.ts'
import type { Log } from '#platform/log.ts'
import { refuse } from '#platform/refuse.ts'
import type { Secret } from '#platform/secrets.ts'

export interface IdentityProviderSettings {
  issuer: string
  clientId: string
  /** For providers that have the console registered as a confidential client. */
  clientSecret: Secret | undefined
  on: boolean
  /** Whether its e-mail addresses count although it does not say that they are verified. */
  managesEmails: boolean
}

export interface IdentityProvider extends Pick<IdentityProviderSettings, 'issuer' | 'clientId' | 'on'> {
  /**
   * Checks that the operator with this e-mail address has signed in at the provider.
   * @throws Refusal `second-factor-refused`, `identity-provider-unreachable`
   */
  confirm(email: string, given: SecondFactor): Promise<void>
}

const timeoutSeconds = 10
/** How long the provider's metadata is cached. Its keys are fetched anew when a token names an unknown key. */
const cacheMilliseconds = 10 * 60_000

export function createIdentityProvider(settings: IdentityProviderSettings, log: Log): IdentityProvider {
  const { issuer, clientId, on, managesEmails } = settings
  let known: { config: openid.Configuration; until: number } | null = null
  const discover = async (): Promise<openid.Configuration> => {
    if (known === null || known.until < performance.now()) {
      known = { config: await discoverProvider(settings), until: performance.now() + cacheMilliseconds }
    }
    return known.config
  }
  return {
    issuer,
    clientId,
    on,
    async confirm(email, given) {
      try {
        const told = await redeemCode(await discover(), given, managesEmails)
        if (told !== email.toLowerCase()) throw new NotTheOperator(because('other-email'))
      } catch (error) {
        // Logs neither the message nor the cause, because they contain texts of the provider.
        const code = error instanceof NotTheOperator ? error.reason.code : codeOf(error)
        log.warn({ code, answer: answerCodeOf(error) }, 'second factor failed')
        if (isDecision(error)) throw refuse('second-factor-refused', { reason: reasonOf(error) })
        known = null
        throw refuse('identity-provider-unreachable')
      }
    },
  }
}

async function discoverProvider({ issuer, clientId, clientSecret }: IdentityProviderSettings) {
  const execute = new URL(issuer).protocol === 'http:' ? [openIdLibrary().allowInsecureRequests] : []
  const options = { execute, timeout: timeoutSeconds }
  const found = await openIdLibrary().discovery(new URL(issuer), clientId, undefined, openIdLibrary().None(), options)
  const server = found.serverMetadata()
  const config = new (openIdLibrary().Configuration)(server, clientId, undefined, authentication(server, clientSecret))
  for (const extend of execute) extend(config)
  config.timeout = timeoutSeconds
  // Also checks the signature of the token, although the provider itself delivered it.
  openIdLibrary().enableNonRepudiationChecks(config)
  return config
}

function authentication(server: openid.ServerMetadata, secret: Secret | undefined): openid.ClientAuth {
  if (secret === undefined) return openIdLibrary().None()
  // OpenID Connect defaults to Basic.
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic')
    ? openIdLibrary().ClientSecretBasic(secret.reveal())
    : openIdLibrary().ClientSecretPost(secret.reveal())
}

/** @returns the e-mail address, in lower case, of the person who signed in at the provider */
async function redeemCode(config: openid.Configuration, given: SecondFactor, managesEmails: boolean): Promise<string> {
  const answered = new URL(given.redirectUri)
  answered.searchParams.set('code', given.code)
  // The console has already checked the issuer in the redirect, and the code is only valid at this provider.
  answered.searchParams.set('iss', config.serverMetadata().issuer)
  const tokens = await openIdLibrary().authorizationCodeGrant(config, answered, {
    pkceCodeVerifier: given.codeVerifier,
    expectedNonce: given.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new NotTheOperator(because('no-identity'))
  // Many providers only return the e-mail address from the userinfo endpoint.
  const told =
    claims.email === undefined ? await openIdLibrary().fetchUserInfo(config, tokens.access_token, claims.sub) : claims
  if (typeof told.email !== 'string' || told.email === '') throw new NotTheOperator(because('no-email'))
  const isVerified = told.email_verified === true || (managesEmails && String(told.email_verified) !== 'false')
  if (!isVerified) throw new NotTheOperator(because('email-not-verified'))
  return told.email.toLowerCase()
}

class NotTheOperator extends Error {
  readonly reason: CodedReason
  constructor(reason: CodedReason) {
    super(englishReason(reason))
    this.reason = reason
  }
}

/** Whether the provider or this server has decided against the sign-in. Otherwise the provider is down or broken. */
function isDecision(error: unknown): boolean {
  if (error instanceof NotTheOperator) return true
  if (error instanceof openIdLibrary().ResponseBodyError) return error.status < 500
  if (
    error instanceof openIdLibrary().AuthorizationResponseError ||
    error instanceof openIdLibrary().WWWAuthenticateChallengeError
  )
    return true
  return decidedCodes.has(codeOf(error) ?? '')
}

const decidedCodes = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_PARSE_ERROR',
  'OAUTH_UNSUPPORTED_OPERATION',
])

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** For example `invalid_grant`, or `invalid_client` if the settings are wrong. */
function answerCodeOf(error: unknown): string | undefined {
  return error instanceof openIdLibrary().ResponseBodyError && /^[a-z_]{1,40}$/.test(error.error)
    ? error.error
    : undefined
}

/** Uses only our own texts, because a provider's text could contain anything. */
function reasonOf(error: unknown): CodedReason {
  if (error instanceof NotTheOperator) return error.reason
  if (codeOf(error) === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return because('factor-expired')
  return because('not-confirmed')
}
