/** The second factor over HTTP, with a real OpenID provider and with a forging one. */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { type Client, createClient, type SecondFactor } from '@roomkeeper/contract'
import {
  administrator,
  bootNetwork,
  confidentialClient,
  type Network,
  type RunningIdentityProvider,
  type RunningServer,
  startIdentityProvider,
} from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callWhileUncommitted } from './calls-at-once.ts'
import { type ForgingProvider, startForgingProvider } from './forging-provider.ts'

let provider: RunningIdentityProvider
let forger: ForgingProvider
let network: Network
/** Servers for the real provider, its confidential client, and the forging provider, all on one database. */
let server: RunningServer
let confidential: RunningServer
let forged: RunningServer
const settings = { OIDC_ON: '1', OIDC_CLIENT_ID: 'console' }
const operator = { email: 'second.factor@example.com', password: 'password of the operator' }

beforeAll(async () => {
  ;[provider, forger, network] = await Promise.all([
    startIdentityProvider(),
    startForgingProvider(),
    bootNetwork({ regions: 0 }),
  ])
  const { id, secret } = confidentialClient
  ;[server, confidential, forged] = await Promise.all([
    network.addServer({ ...settings, PROCESS: 'api', OIDC_ISSUER: provider.issuer }),
    network.addServer({
      ...settings,
      PROCESS: 'api',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: id,
      OIDC_CLIENT_SECRET: secret,
      PUBLIC_URL: 'https://console.example',
    }),
    network.addServer({
      ...settings,
      PROCESS: 'api',
      OIDC_ISSUER: forger.issuer,
      PUBLIC_URL: 'https://host.example/roomkeeper',
    }),
  ])
  provider.acceptConsoles(server.address, 'https://console.example', 'https://elsewhere.example')
  await network.admin.call('createOperator', { body: { ...operator, name: 'Second', role: 'CLOUD_OPERATOR' } })
})
afterAll(async () => {
  await network?.stop()
  await Promise.all([provider?.stop(), forger?.stop()])
})
beforeEach(() => network.database.rows('delete from failed_sign_ins'))

describe('a session that waits for its second factor', () => {
  // shows: C-checkSession, C-completeSecondFactor
  it('may only say who it is, end, and complete; then it may do what its role may', async () => {
    const client = await sessionAt(server)
    expect((await client.call('checkSession', {})).body.secondFactor).toBe(true)
    expect((await client.call('permissions', {})).body.role).toBe('CLOUD_OPERATOR')
    await expect(client.call('regions', {})).rejects.toMatchObject({ problem: { status: 403 } })

    const given = await secondFactor()
    const { body } = await client.call('completeSecondFactor', { body: given })
    expect(body).toEqual({ email: operator.email, name: 'Second', role: 'CLOUD_OPERATOR', secondFactor: false })
    expect((await client.call('regions', {})).body).toEqual([])
    expect((await client.call('checkSession', {})).body.secondFactor).toBe(false)
    // The answer may have been lost, so repeating the call gives the same answer.
    expect((await client.call('completeSecondFactor', { body: given })).body).toEqual(body)
  })

  it('unlocks an account that a restored dump has locked, except that of an administrator', async () => {
    const other = { ...operator, email: 'locked.administrator@example.com', name: 'Locked' }
    await network.admin.call('createOperator', { body: { ...other, role: 'CLOUD_ADMINISTRATOR' } })
    await network.database.rows('update operators set locked_at = now() where email = any($1)', [
      [operator.email, other.email],
    ])
    const anonymous = createClient({ base: server.address, token: () => null })
    const { email, password } = other
    await expect(anonymous.call('signIn', { body: { email, password } })).rejects.toMatchObject({
      code: 'account-locked',
    })
    await anonymous.call('signIn', { body: operator })
    const client = await sessionAt(server)
    await client.call('completeSecondFactor', { body: await secondFactor() })
    const locked = (await network.admin.call('operators', {})).body.filter(({ lockedAt }) => lockedAt !== null)
    expect(locked.map((account) => account.email)).toEqual([email])
    await network.admin.call('confirmOperator', { params: { id: locked[0]?.id ?? '' } })
    await anonymous.call('signIn', { body: { email, password } })
  })

  // shows: C-oktaConfig
  it('is told by signing in, and its provider by GET okta', async () => {
    const anonymous = createClient({ base: server.address, token: () => null })
    const signedIn = await anonymous.call('signIn', { body: operator })
    expect(signedIn.body.secondFactor).toBe(true)
    expect((await anonymous.call('oktaConfig', {})).body).toEqual({
      issuer: provider.issuer,
      clientId: 'console',
      on: true,
    })
  })

  it('can be completed with a provider that knows the console by a secret, for the address in PUBLIC_URL', async () => {
    const client = await sessionAt(confidential)
    const redirectUri = 'https://console.example/project/mfa_okta'
    const given = await secondFactor({ redirectUri, clientId: confidentialClient.id })
    expect((await client.call('completeSecondFactor', { body: given })).body.secondFactor).toBe(false)
  })

  it('lets the browser ask the provider, and nobody else', async () => {
    const policy = (await fetch(`${server.address}/api/operator/okta`)).headers.get('content-security-policy')
    expect(policy).toContain(`connect-src 'self' ${provider.issuer};`)
    const without = (await fetch(`${network.server.address}/api/operator/okta`)).headers.get('content-security-policy')
    expect(without).toContain(`connect-src 'self';`)
    expect(without).toContain(`frame-ancestors 'none'`)
  })
})

describe('a second factor is refused', () => {
  it.each<[string, (given: SecondFactor) => Partial<SecondFactor>]>([
    ['with another verifier', () => ({ codeVerifier: randomBytes(32).toString('base64url') })],
    ['with another nonce', () => ({ nonce: randomBytes(16).toString('base64url') })],
    ['with a made-up code', () => ({ code: 'A'.repeat(43) })],
  ])('%s', async (_, change) => {
    const client = await sessionAt(server)
    const given = await secondFactor()
    await expectRefused(client, { ...given, ...change(given) })
  })

  it('when its code was redeemed before', async () => {
    const given = await secondFactor()
    await (await sessionAt(server)).call('completeSecondFactor', { body: given })
    await expectRefused(await sessionAt(server), given)
  })

  it('when the session ends while the provider is asked', async () => {
    const client = await sessionAt(server)
    const given = await secondFactor()
    const [row] = await network.database.rows<{ id: string }>('select id from operators where email = $1', [
      operator.email,
    ])
    const body = { email: operator.email, name: 'Second', role: 'CLOUD_OPERATOR', password: operator.password } as const
    const [changed, completed] = await callWhileUncommitted(
      network.database,
      () => network.admin.call('changeOperator', { params: { id: row?.id ?? '' }, body }),
      () => client.call('completeSecondFactor', { body: given }),
    )
    expect(changed.status).toBe('fulfilled')
    expect(completed).toMatchObject({ status: 'rejected', reason: { code: 'session-expired' } })
  })

  it('when its code was given to another application', async () => {
    await expectRefused(await sessionAt(server), await secondFactor({ clientId: 'another-application' }))
  })

  // shows: factor-somebody-else
  it('when somebody else signed in at the provider', async () => {
    const problem = await expectRefused(await sessionAt(server), await secondFactor({ email: administrator.email }))
    expect(problem.detail).toContain('another e-mail address')
  })

  it('when the provider has not verified the e-mail address', async () => {
    provider.unverified.add(operator.email)
    const problem = await expectRefused(await sessionAt(server), await secondFactor())
    provider.unverified.clear()
    expect(problem.detail).toContain('not verified')
  })

  it.each([
    'https://elsewhere.example/project/mfa_okta',
    'https://console.example/project/operator',
    'https://console.example/project/mfa_okta?next=1',
    'https://console.example.evil.example/project/mfa_okta',
    'http://console.example/project/mfa_okta',
    'javascript:alert(1)',
  ])('when the redirect led to %s', async (redirectUri) => {
    const client = await sessionAt(confidential)
    const given = { ...(await secondFactor({ redirectUri: 'https://console.example/project/mfa_okta' })), redirectUri }
    await expect(client.call('completeSecondFactor', { body: given })).rejects.toMatchObject({
      problem: { status: 400, errors: [{ field: 'redirectUri' }] },
    })
  })

  it.each([
    'https://host.example/project/mfa_okta',
    'https://host.example/roomkeeper/other/project/mfa_okta',
    'https://host.example/roomkeeper/../project/mfa_okta',
    'https://host.example/roomkeeper-2/project/mfa_okta',
  ])('when the redirect led to %s, outside the path of PUBLIC_URL', async (redirectUri) => {
    const given = { ...(await secondFactor({ redirectUri: 'https://console.example/project/mfa_okta' })), redirectUri }
    await expect((await sessionAt(forged)).call('completeSecondFactor', { body: given })).rejects.toMatchObject({
      problem: { status: 400, errors: [{ field: 'redirectUri' }] },
    })
  })

  it('when the redirect led to another host than the call, without PUBLIC_URL', async () => {
    const redirectUri = 'https://elsewhere.example/project/mfa_okta'
    const body = await secondFactor({ redirectUri })
    await expect((await sessionAt(server)).call('completeSecondFactor', { body })).rejects.toMatchObject({
      problem: { status: 400, errors: [{ field: 'redirectUri' }] },
    })
  })

  it('after ten refusals, for a while; each is in the audit trail', async () => {
    const client = await sessionAt(server)
    const given = { ...(await secondFactor()), code: 'A'.repeat(43) }
    for (let refusals = 0; refusals < 10; refusals += 1) await expectRefused(client, given)
    await expect(client.call('completeSecondFactor', { body: await secondFactor() })).rejects.toMatchObject({
      problem: { status: 429 },
    })
    const rows = await network.database.rows<{ detail: string }>(
      `select detail from audit where action = 'operator.second-factor-failed' and actor = $1`,
      [operator.email],
    )
    expect(rows.length).toBeGreaterThanOrEqual(10)
  })

  it('where none is asked for', async () => {
    const client = await sessionAt(server)
    const withoutProvider = createClient({ base: network.server.address, token: () => client.token })
    await expect(withoutProvider.call('completeSecondFactor', { body: await secondFactor() })).rejects.toMatchObject({
      problem: { status: 409 },
    })
  })
})

describe('a provider that forges', () => {
  const nonce = 'a nonce of the console'
  const now = () => Math.floor(Date.now() / 1000)
  const honest = () => ({
    iss: forger.issuer,
    aud: 'console',
    sub: 'somebody',
    nonce,
    iat: now(),
    exp: now() + 60,
    email: operator.email,
    email_verified: true,
  })
  const given = () => ({
    code: 'any',
    codeVerifier: 'v'.repeat(43),
    nonce,
    redirectUri: 'https://host.example/roomkeeper/project/mfa_okta',
  })

  it('gets through with what is right in every way, so that the rest is refused for what is wrong with it', async () => {
    forger.answerWith({ ...honest(), email: operator.email.toUpperCase() })
    const client = await sessionAt(forged)
    expect((await client.call('completeSecondFactor', { body: given() })).body.secondFactor).toBe(false)
  })

  // shows: factor-token
  it.each<[string, () => Record<string, unknown>]>([
    ['of another issuer', () => ({ iss: 'https://elsewhere.example' })],
    ['for another audience', () => ({ aud: 'another-application' })],
    [
      'for several audiences of which the console is not the one that asked',
      () => ({ aud: ['console', 'x'], azp: 'x' }),
    ],
    ['with another nonce', () => ({ nonce: 'another nonce of the console' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['that has expired', () => ({ exp: now() - 300, iat: now() - 600 })],
    ['that never expires', () => ({ exp: undefined })],
    ['for another e-mail address', () => ({ email: administrator.email })],
    ['with an address that is not verified', () => ({ email_verified: false })],
    ['with an address of which it is not said whether it is verified', () => ({ email_verified: undefined })],
    ['whose address is verified only as a text', () => ({ email_verified: 'true' })],
  ])('is refused with a token %s', async (_, change) => {
    forger.answerWith({ ...honest(), ...change() })
    await expectRefused(await sessionAt(forged), given())
  })

  it('is refused with its reason in the log', async () => {
    forger.answerWith({ ...honest(), email_verified: undefined })
    await expectRefused(await sessionAt(forged), given())
    expect(forged.output()).toMatch(/"code":"email-not-verified".*"second factor failed"/)
    forger.answerWith({ ...honest(), email: administrator.email })
    await expectRefused(await sessionAt(forged), given())
    expect(forged.output()).toMatch(/"code":"other-email".*"second factor failed"/)
  })

  it('may leave out whether addresses are verified where the setting says that it manages them, but not deny it', async () => {
    const managed = await network.addServer({ ...settings, OIDC_ISSUER: forger.issuer, OIDC_EMAILS_MANAGED: '1' })
    const there = { ...given(), redirectUri: `${managed.address}/project/mfa_okta` }
    for (const told of [undefined, 'true']) {
      forger.answerWith({ ...honest(), email_verified: told })
      const client = await sessionAt(managed)
      expect((await client.call('completeSecondFactor', { body: there })).body.secondFactor).toBe(false)
    }
    for (const told of [false, 'false']) {
      forger.answerWith({ ...honest(), email_verified: told })
      await expectRefused(await sessionAt(managed), there)
    }
  })

  it('is refused with a token that it did not sign, or that nobody signed', async () => {
    const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const client = await sessionAt(forged)
    for (const how of [{ key }, { key, kid: 'unknown' }, { algorithm: 'none' as const }]) {
      forger.answerWith(honest(), how)
      await expectRefused(client, given())
    }
  })
})

describe('a provider that is down', () => {
  it('is a clear 503 that uses nothing up: the same session completes once it is up again', async () => {
    const client = await sessionAt(server)
    const given = await secondFactor()
    provider.isDown = true
    await expect(client.call('completeSecondFactor', { body: given })).rejects.toMatchObject({
      problem: { status: 503, detail: 'The identity provider cannot be reached. Please try again.' },
    })
    provider.isDown = false
    expect((await client.call('completeSecondFactor', { body: given })).body.secondFactor).toBe(false)
    const [counted] = await network.database.rows<{ n: number }>('select count(*)::int as n from failed_sign_ins')
    expect(counted?.n).toBe(0)
  })
})

/** Opens a session that waits for its second factor, as signing in at this server does. */
function sessionAt(running: RunningServer) {
  return network.newSession({ email: operator.email, awaitsSecondFactor: true }, running)
}

/** What the console sends after the operator has returned from the provider. */
async function secondFactor({
  email = operator.email,
  redirectUri = `${server.address}/project/mfa_okta`,
  clientId = 'console',
} = {}): Promise<SecondFactor> {
  const codeVerifier = randomBytes(32).toString('base64url')
  const nonce = randomBytes(16).toString('base64url')
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const code = await provider.codeFor(email, { redirectUri, codeChallenge, nonce, clientId })
  return { code, codeVerifier, nonce, redirectUri }
}

async function expectRefused(client: Client, body: SecondFactor) {
  const refused = await client.call('completeSecondFactor', { body }).then(
    () => null,
    (error: unknown) => error,
  )
  expect(refused).toMatchObject({ problem: { status: 403, title: 'Second factor refused' } })
  await expect(client.call('regions', {})).rejects.toMatchObject({ problem: { status: 403 } })
  return (refused as { problem: { detail: string } }).problem
}
