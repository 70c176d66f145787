/** API tokens over HTTP: their life, what they may do, and what is seen of those who try one that does not count. */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type BodyGiven, type Client, createClient, type Routes } from '@roomkeeper/contract'
import {
  bootNetwork,
  type Network,
  operatorDraft,
  type RunningServer,
  roomDraft,
  type SignedInClient,
  signIn,
  until,
} from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiTokenText } from './api-token-text.ts'
import { tablesWith } from './tables-with-text.ts'

let network: Network
/** Another API process on the same database. */
let other: RunningServer
let streamOfRevoked: ReturnType<typeof readToEnd>
const perSecond = 20
beforeAll(async () => {
  network = await bootNetwork({
    env: { TRUST_PROXY: '1', LOG_LEVEL: 'debug', TOKEN_CALLS_PER_SECOND: String(perSecond) },
  })
  other = await network.addServer({ PROCESS: 'api' })
  // Its end takes up to 15 s.
  const { id, token } = await make({ name: 'Of a stream' })
  streamOfRevoked = readToEnd(await withToken(token).open('events', {}))
  await network.admin.call('revokeToken', { params: { id } })
})
afterAll(() => network?.stop())
beforeEach(() => network.database.rows(`delete from api_tokens where name <> 'Of a stream'`))

const here = '198.51.100.7'
const in30Days = () => new Date(Date.now() + 30 * 86_400_000).toISOString()

describe('an API token', () => {
  // shows: token-made, C-createToken, C-whoCalls
  it('is shown once, makes calls as its owner, and is stored as its SHA-256 alone', async () => {
    const owner = await network.as('CLOUD_OPERATOR')
    const made = await make({ role: 'CLOUD_SALES', expiresAt: in30Days() }, owner)
    expect(made.token).toMatch(/^rk_[\w-]{43}[0-9A-Za-z]{6}$/)
    const { email, name } = operatorDraft('CLOUD_OPERATOR')
    const { id, expiresAt } = made
    expect((await callerOf(made.token)).body).toEqual({
      email,
      name,
      role: 'CLOUD_SALES',
      token: { id, name: 'Nightly export', expiresAt },
    })
    await until('its use is recorded', async () => (await listed(id, owner))?.lastUsedAt !== null)
    const { token, ...shown } = made
    expect((await listed(id, owner))?.lastUsedFrom).toBe(here)
    const { lastUsedAt, lastUsedFrom, ...rest } = shown
    expect(await listed(id, owner)).toMatchObject(rest)
    expect([lastUsedAt, lastUsedFrom, shown.refused, shown.state]).toEqual([null, null, null, 'active'])
    for (const part of [token, token.slice(3, 46), hexOf(token)])
      expect(await tablesWith(network.database, part)).toEqual([])
    expect(network.server.output()).not.toContain(token.slice(3, 46))
  })

  it('lasts 90 days unless another time is named, and at most 365', async () => {
    const { expiresAt } = await make({})
    expect((Date.parse(expiresAt) - Date.now()) / 86_400_000).toBeCloseTo(90, 1)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    await make({ name: 'Longest', expiresAt: inDays(365) })
    for (const days of [366, -1, 0])
      expect(await refusalOf(make({ name: 'Other', expiresAt: inDays(days) }))).toMatchObject({
        status: 400,
        errors: [{ field: 'expiresAt', code: 'token-expiry-out-of-range' }],
      })
  })

  // shows: token-limits
  it('is not made with a role above the own one, for what is no network, or with a name that is taken', async () => {
    const sales = await network.as('CLOUD_SALES')
    expect(await refusalOf(make({ role: 'CLOUD_OPERATOR' }, sales))).toMatchObject({
      errors: [{ field: 'role', code: 'token-role-above-own' }],
    })
    for (const network of ['192.0.2.0/33', 'example.com', '*', '192.0.2', '2001:db8::/129', 'fe80::1%eth0'])
      expect(await refusalOf(make({ networks: ['192.0.2.7', network] }, sales))).toMatchObject({
        errors: [{ field: 'networks', code: 'network-invalid', params: { given: network } }],
      })
    const { id } = await make({}, sales)
    expect((await refusalOf(make({ name: 'nightly EXPORT' }, sales))).type).toBe('urn:roomkeeper:token-name-taken')
    await make({})
    await sales.call('revokeToken', { params: { id } })
    await make({}, sales)
  })

  it('is one of 100 at most, also when two are made at once', async () => {
    const support = await network.as('CLOUD_SUPPORT')
    await network.database.rows(
      `insert into api_tokens (operator_id, name, role, token_hash, expires_at)
       select id, 'token ' || n, role, sha256(convert_to(n::text, 'UTF8')), now() + interval '1 day'
         from operators, generate_series(1, 99) n where email = $1`,
      [operatorDraft('CLOUD_SUPPORT').email],
    )
    const made = await Promise.allSettled(
      ['one', 'another'].map((name) => make({ name, role: 'CLOUD_SUPPORT' }, support)),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [refused] = made.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused).toMatchObject({ problem: { status: 409, type: 'urn:roomkeeper:too-many-tokens' } })
  })

  // shows: C-tokens, C-revokeToken
  it('is seen and revoked by its owner and by CLOUD_ADMINISTRATORs, and by nobody else', async () => {
    const [sales, operator] = [await network.as('CLOUD_SALES'), await network.as('CLOUD_OPERATOR')]
    const before = (await auditOf('token.')).length
    const [first, second] = [await make({}, sales), await make({ name: 'Second' }, sales)]
    const namesSeenBy = async (client: Client) => (await client.call('tokens', {})).body.map(({ name }) => name)
    expect(await namesSeenBy(operator)).toEqual([])
    const params = { id: first.id }
    expect((await refusalOf(operator.call('revokeToken', { params }))).type).toBe('urn:roomkeeper:token-unknown')
    expect(await namesSeenBy(sales)).toEqual(['Second', 'Nightly export'])
    expect(await namesSeenBy(network.admin)).toEqual(['Of a stream', 'Second', 'Nightly export'])
    expect(await listed(first.id)).toMatchObject({ isOwn: false, owner: operatorDraft('CLOUD_SALES').email })
    await network.admin.call('revokeToken', { params })
    await sales.call('revokeToken', { params: { id: second.id } })
    // Once more changes nothing.
    await sales.call('revokeToken', { params: { id: second.id } })
    expect((await listed(second.id, sales))?.state).toBe('revoked')
    expect((await auditOf('token.')).slice(0, -before)).toEqual([
      [operatorDraft('CLOUD_SALES').email, 'token.revoke', 'Second'],
      ['admin@localhost', 'token.revoke', `${operatorDraft('CLOUD_SALES').email} (token Nightly export)`],
      [operatorDraft('CLOUD_SALES').email, 'token.create', 'Second'],
      [operatorDraft('CLOUD_SALES').email, 'token.create', 'Nightly export'],
    ])
  })

  // shows: token-audit
  it('is named with its owner by the audit trail and by what it starts, which stays among what is the owner’s', async () => {
    const { token } = await make({ networks: ['192.0.2.0/24', here] })
    const body = roomDraft()
    const { operationId } = (await withToken(token).call('createRoom', { body })).body
    const actor = 'admin@localhost (token Nightly export)'
    await network.settle()
    const { body: ended } = await network.admin.call('finishedOperations', { query: { ids: [operationId] } })
    expect(ended).toMatchObject([{ state: 'done', startedBy: actor }])
    const query = { actor: 'admin@localhost', action: 'room.create', room: body.tenantName }
    expect((await network.admin.call('audit', { query })).body.data).toMatchObject([{ actor, operationId }])
    const [made] = (await network.admin.call('audit', { query: { action: 'token.create' } })).body.data
    expect(made).toMatchObject({
      changes: [
        { field: 'role', to: 'CLOUD_ADMINISTRATOR' },
        { field: 'expiresAt' },
        { field: 'networks', to: '192.0.2.0/24, 198.51.100.7' },
      ],
    })
    expect(JSON.stringify(made)).not.toContain(token)
  })

  // shows: token-limits
  it('may do no more than its owner may now, and ends with the account', async () => {
    const account = { email: 'leaves@example.com', name: 'Leaves', role: 'CLOUD_OPERATOR' as const }
    const password = 'a password of somebody'
    const { id } = (await network.admin.call('createOperator', { body: { ...account, password } })).body
    const owner = await signIn(() => network.server.address, { email: account.email, password })
    const { token } = await make({ role: 'CLOUD_OPERATOR' }, owner)
    expect((await withToken(token).call('monitoring', { query: {} })).status).toBe(200)
    await network.admin.call('changeOperator', { params: { id }, body: { ...account, role: 'CLOUD_SUPPORT' } })
    expect((await callerOf(token)).body.role).toBe('CLOUD_SUPPORT')
    const refused = await refusalOf(withToken(token).call('monitoring', { query: {} }))
    expect(refused.type).toBe('urn:roomkeeper:not-allowed')
    await network.admin.call('deleteOperator', { params: { id } })
    expect((await refusalOf(callerOf(token))).type).toBe('urn:roomkeeper:token-refused')
  })

  // shows: token-limits
  it('counts from its networks alone', async () => {
    const { id, token } = await make({ networks: ['192.0.2.7', '198.51.100.0/24', '2001:DB8::/32'] })
    for (const from of ['192.0.2.7', '198.51.100.200', '::ffff:192.0.2.7', '2001:db8:1::9'])
      expect((await callerOf(token, { from })).status).toBe(200)
    for (const from of ['192.0.2.8', '2001:db9::1', '::ffff:192.0.2.8'])
      expect(await refusalOf(callerOf(token, { from }))).toMatchObject({
        status: 403,
        type: 'urn:roomkeeper:token-from-elsewhere',
      })
    expect(await listed(id)).toMatchObject({
      networks: ['192.0.2.7', '198.51.100.0/24', '2001:db8::/32'],
      refused: { times: 3, lastFrom: '::ffff:192.0.2.8', why: 'network' },
    })
  })

  it('that is revoked counts no more in any process at once', async () => {
    const { id, token } = await make({})
    for (const { address } of [network.server, other]) expect((await callerOf(token, { address })).status).toBe(200)
    await network.admin.call('revokeToken', { params: { id } })
    for (const { address } of [network.server, other])
      expect(await refusalOf(callerOf(token, { address }))).toMatchObject({
        status: 401,
        type: 'urn:roomkeeper:token-refused',
      })
  })

  it('is recorded as used when the database can do that again', async () => {
    const { id, token } = await make({})
    await network.database.rows(
      `create function refuse_use() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
       create trigger refuse_use before update of last_used_at on api_tokens
         for each row execute function refuse_use()`,
    )
    expect((await callerOf(token)).status).toBe(200)
    const told = 'the last use of an API token could not be recorded yet'
    await until('it could not be recorded', async () => network.server.output().includes(told))
    await network.database.rows('drop function refuse_use cascade')
    await until('it is recorded', async () => (await listed(id))?.lastUsedAt !== null)
  })
})

describe('a link that was asked for with an API token', () => {
  it('is good while the token counts, from where the token may be used', async () => {
    const { id, token } = await make({ networks: [here] })
    const link = async () => (await withToken(token).call('createAuditTicket', { body: { query: {} } })).body.url
    const follow = async (url: string, from = here) => {
      const answer = await fetch(network.server.address + url, { headers: { 'x-forwarded-for': from } })
      return [answer.status, (await answer.text()).slice(0, 11)]
    }
    expect(await follow(await link())).toEqual([200, 'Number,Time'])
    expect((await follow(await link(), '192.0.2.8'))[0]).toBe(403)
    const left = await link()
    await network.admin.call('revokeToken', { params: { id } })
    expect((await follow(left))[0]).toBe(401)
  })
})

describe('the tries of a thief of a token', () => {
  it.each([
    ['expired', `update api_tokens set expires_at = now() where id = $1`],
    ['revoked', `update api_tokens set revoked_at = now() where id = $1`],
  ])('are refused and seen when it is %s, with one audit entry an hour for each network', async (why, change) => {
    const { id, token } = await make({})
    await network.database.rows(change, [id])
    const from = ['192.0.2.1', '192.0.2.1', '2001:db8::1', '2001:db8::2', '2001:db8:0:1::1']
    for (const address of from)
      expect((await refusalOf(callerOf(token, { from: address }))).type).toBe('urn:roomkeeper:token-refused')
    // At once, and in two processes.
    const atOnce = [network.server, other].flatMap(({ address }) =>
      Array.from({ length: 10 }, () => refusalOf(callerOf(token, { from: '192.0.2.1', address }))),
    )
    await Promise.all(atOnce)
    expect(await listed(id)).toMatchObject({
      state: why,
      lastUsedAt: null,
      refused: { times: 25, lastFrom: '192.0.2.1', why },
    })
    const entry = (address: string) => [
      'admin@localhost (token Nightly export)',
      'token.refused',
      `${why}, from ${address}`,
    ]
    const entries = await auditOf('token.refused')
    expect(entries.slice(0, 3)).toEqual(['2001:db8:0:1::1', '2001:db8::1', '192.0.2.1'].map(entry))
    await network.database.rows(`update rate_limit_hits set hits = array[now() - interval '61 minutes']`)
    await refusalOf(callerOf(token, { from: '192.0.2.1' }))
    expect(await auditOf('token.refused')).toHaveLength(entries.length + 1)
  })

  it('fill neither audit trail nor database, from however many networks they come', async () => {
    const { id, token } = await make({})
    await network.admin.call('revokeToken', { params: { id } })
    const before = (await auditOf('token.refused')).length
    for (let net = 0; net < 30; net += 1) await refusalOf(callerOf(token, { from: `203.0.113.${net}` }))
    expect(await auditOf('token.refused')).toHaveLength(before + 20)
    expect((await listed(id))?.refused?.times).toBe(30)
    const networks = `select from rate_limit_hits where limit_name = 'token-refused-from' and caller like $1 || ' %'`
    expect(await network.database.rows(networks, [id])).toHaveLength(20)
  })

  it('are slowed down when they guess, while tokens that count are let in from there', async () => {
    const { token } = await make({})
    const before = await unknownTokens()
    const from = '192.0.2.99'
    const guesses = Array.from({ length: 21 }, () => refusalOf(callerOf(apiTokenText(), { from })))
    const codes = (await Promise.all(guesses)).map(({ type }) => type.replace('urn:roomkeeper:', ''))
    expect(codes.toSorted()).toEqual([...Array(20).fill('token-refused'), 'too-many-attempts'])
    const slowed = await fetch(`${network.server.address}/api/operator/caller`, {
      headers: { authorization: `Bearer ${apiTokenText()}`, 'x-forwarded-for': from },
    })
    expect([slowed.status, Number(slowed.headers.get('retry-after')) > 800]).toEqual([429, true])
    expect((await callerOf(token, { from })).status).toBe(200)
    expect((await unknownTokens()) - before).toBe(22)
    expect(network.server.output()).toContain('an unknown API token was refused')
  })

  it('are refused without asking the database where the checksum is wrong', async () => {
    const locked = new pg.Client({ connectionString: network.database.url })
    await locked.connect()
    await locked.query('begin; lock table api_tokens in access exclusive mode')
    try {
      const good = apiTokenText()
      const mistyped = [
        good.slice(0, -1) + (good.endsWith('x') ? 'y' : 'x'),
        good.slice(0, -1),
        `${good}x`,
        'rk_',
        'rk_x',
      ]
      for (const token of mistyped)
        expect(await refusalOf(callerOf(token))).toMatchObject({ status: 401, type: 'urn:roomkeeper:token-refused' })
    } finally {
      await locked.end()
    }
  })
})

it('a flood with a stolen token writes no more than the limit, and takes nothing from its owner', async () => {
  const { id, token } = await make({ networks: [here] })
  const flood = Array.from({ length: 10 * perSecond }, () => refusalOf(callerOf(token, { from: '192.0.2.1' })))
  const codes = (await Promise.all(flood)).map(({ type }) => type.replace('urn:roomkeeper:', ''))
  expect(new Set(codes)).toEqual(new Set(['token-from-elsewhere', 'token-too-busy']))
  expect((await callerOf(token)).status).toBe(200)
  const recorded = codes.filter((code) => code === 'token-from-elsewhere').length
  expect((await listed(id))?.refused?.times).toBe(recorded)
})

it('calls with a revoked token hold up no other call, though its row is locked; each call is counted afterwards', async () => {
  const [{ id, token }, good] = [await make({}), await make({ name: 'Good' })]
  await network.admin.call('revokeToken', { params: { id } })
  const locked = new pg.Client({ connectionString: network.database.url })
  await locked.connect()
  await locked.query('begin')
  await locked.query('select from api_tokens where id = $1 for update', [id])
  const tries: Promise<{ type: string }>[] = []
  try {
    // More than the process has connections, each later than a statement holds up others who share it.
    for (let call = 0; call < 14; call += 1) {
      tries.push(refusalOf(callerOf(token)))
      await pause(60)
    }
    expect(await Promise.race([callerOf(good.token), pause(2_000, 'held up')])).not.toBe('held up')
    const types = (await Promise.all(tries)).map(({ type }) => type)
    expect(new Set(types)).toEqual(new Set(['urn:roomkeeper:token-refused']))
    expect((await listed(id))?.refused).toBeNull()
  } finally {
    await locked.end()
  }
  await until('all are counted', async () => (await listed(id))?.refused?.times === tries.length)
  expect((await auditOf('token.refused'))[0]?.[2]).toBe(`revoked, from ${here}`)
})

it('a session whose token begins like an API token stays one', async () => {
  const token = `rk_${randomBytes(30).toString('base64url')}`
  await network.database.rows(
    `insert into sessions (token_hash, operator_id, awaits_second_factor)
     select sha256(convert_to($1, 'UTF8')), id, false from operators where email = 'admin@localhost'`,
    [token],
  )
  expect((await callerOf(token)).body).toMatchObject({ email: 'admin@localhost', token: null })
})

it('a token that calls too often waits, and nobody else does', async () => {
  const [busy, calm] = [await make({}), await make({ name: 'Calm' })]
  const call = async () => {
    const answer = await fetch(`${network.server.address}/api/operator/caller`, {
      headers: { authorization: `Bearer ${busy.token}` },
    })
    return {
      status: answer.status,
      after: answer.headers.get('retry-after'),
      problem: (await answer.json()) as { type: string },
    }
  }
  const answers = await Promise.all(Array.from({ length: 10 * perSecond }, call))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(2 * perSecond)
  expect(refused.length).toBeGreaterThan(0)
  for (const { status, after, problem } of refused)
    expect([status, after, problem.type]).toEqual([429, '1', 'urn:roomkeeper:token-too-busy'])
  expect((await callerOf(calm.token)).status).toBe(200)
  expect((await network.admin.call('whoCalls', {})).body.token).toBeNull()
  await until('it may call again', async () => (await call()).status === 200)
})

it('the event stream of a token that was revoked ends', async () => {
  expect(await streamOfRevoked).toBe('ended by the server')
})

type Draft = Partial<BodyGiven<Routes['createToken']>>

async function make(draft: Draft, by: SignedInClient = network.admin) {
  const role = (await by.call('whoCalls', {})).body.role
  return (await by.call('createToken', { body: { name: 'Nightly export', role, ...draft } })).body
}

interface From {
  from?: string
  address?: string
}

function withToken(token: string, { from = here, address = network.server.address }: From = {}): Client {
  const sent = (url: string | URL | Request, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', from)
    return fetch(url, { ...init, headers })
  }
  return createClient({ base: address, token: () => token, fetch: sent })
}

function callerOf(token: string, from: From = {}) {
  return withToken(token, from).call('whoCalls', {})
}

/** Its row in the list. */
async function listed(id: string, by: Client = network.admin) {
  return (await by.call('tokens', {})).body.find((each) => each.id === id)
}

/** Actor, action and detail, newest first. */
async function auditOf(action: string) {
  const { data } = (await network.admin.call('audit', { query: { action, size: 100 } })).body
  return data.map((entry) => [entry.actor, entry.action, entry.detail])
}

/** @returns the problem. A call that is not refused fails the test. */
async function refusalOf(call: Promise<unknown>): Promise<{ status: number; type: string; errors?: unknown }> {
  const ended = await call.then(
    (answer) => ({ answer }),
    (error: { problem: { status: number; type: string } }) => error,
  )
  if ('answer' in ended) throw new Error(`The call was not refused: ${JSON.stringify(ended.answer)}`)
  return ended.problem
}

/** As the metrics count them. */
async function unknownTokens(): Promise<number> {
  const text = await (await fetch(`${network.server.address}/metrics`)).text()
  return Number(/^roomkeeper_tokens_refused_total\{why="unknown"\} (\d+)$/m.exec(text)?.[1])
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}

async function readToEnd({ body }: Response): Promise<'ended by the server' | 'broken'> {
  try {
    for await (const _ of body ?? []) {
      // Only the end matters.
    }
    return 'ended by the server'
  } catch {
    return 'broken'
  }
}
