/**
 * Every call with every role, without a session, with a dead session, with a session before its second factor, and with
 * API tokens. The expected results are in access-table.ts, which is written from the documents.
 */
import { randomBytes } from 'node:crypto'
import { routes } from '@roomkeeper/contract'
import { askWithoutBody, bootNetwork, type Network, operatorDraft, roomDraft } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AccessRow, accessTable, type EveryRole, everyRole } from './access-table.ts'
import { apiTokenText } from './api-token-text.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
  for (const role of everyRole) await network.as(role)
  await makeTokens()
})
afterAll(() => network?.stop())

const noSession = [401, 'urn:roomkeeper:session-expired']
const wrongRole = [403, 'urn:roomkeeper:not-allowed']
const withToken = [403, 'urn:roomkeeper:session-needed']
const deadToken = [401, 'urn:roomkeeper:token-refused']
const tokenElsewhere = [403, 'urn:roomkeeper:token-from-elsewhere']
const noSecondFactor = [403, 'urn:roomkeeper:second-factor-missing']

const guarded = accessTable.filter(({ isPublic }) => !isPublic)
const open = accessTable.filter(({ isPublic }) => isPublic)

it('the contract has the calls of the table, no more and no fewer', () => {
  const inContract = Object.values(routes).map(({ method, path }) => `${method} ${path}`)
  expect(inContract.toSorted()).toEqual(accessTable.map(({ call }) => call).toSorted())
  expect(new Set(inContract).size).toBe(inContract.length)
})

describe.each(guarded)('$call', (row) => {
  // shows: wire-roles, doctor-admin
  it.each(everyRole)('lets %s in, or refuses, as the documents say', async (role) => {
    const answer = await ask(row, await ownSession(role))
    if (row.roles.includes(role)) expect(row.answered).toContain(answer.status)
    else expect([answer.status, answer.problem]).toEqual(wrongRole)
  })

  // shows: token-signed-in
  it('lets API tokens do the same, except what takes an operator who is signed in', async () => {
    for (const role of everyRole) {
      const answer = await ask(row, tokens[role])
      const found = [role, answer.status, answer.problem]
      if (row.onlySignedIn) expect(found).toEqual([role, ...withToken])
      else if (row.roles.includes(role)) expect(row.answered, role).toContain(answer.status)
      else expect(found).toEqual([role, ...wrongRole])
    }
  })

  it('is closed to API tokens that have expired, were revoked, are used from elsewhere, or were made up', async () => {
    for (const [token, refusal] of [
      [tokens.expired, deadToken],
      [tokens.revoked, deadToken],
      [tokens.elsewhere, tokenElsewhere],
      [tokens.mistyped, deadToken],
    ] as const) {
      const answer = await ask(row, token)
      expect([answer.status, answer.problem]).toEqual(refusal)
    }
  })

  // shows: wire-no-session
  it('is closed without a session, with a dead one and with a made-up one', async () => {
    const dead = await ownSession('CLOUD_ADMINISTRATOR')
    await endSession(dead)
    for (const token of [null, dead, 'A'.repeat(43), 'no good%20token']) {
      const answer = await ask(row, token)
      expect([answer.status, answer.problem]).toEqual(noSession)
    }
    if (row.method !== 'GET') return
    const head = await fetch(network.server.address + row.url, { method: 'HEAD' })
    expect(head.status).toBe(401)
  })

  it('reads no body before it knows who calls', async () => {
    const url = network.server.address + row.url
    expect(await askWithoutBody(url, row.method)).toBe(401)
    expect(await askWithoutBody(url, row.method, { authorization: `Bearer ${'A'.repeat(43)}` })).toBe(401)
  })

  // shows: session-before-factor
  it.each(everyRole)('is open to %s before the second factor only where it leads to it', async (role) => {
    const answer = await ask(row, await ownSession(role, 'before its second factor'))
    if (row.beforeSecondFactor) expect(row.answered).toContain(answer.status)
    else expect([answer.status, answer.problem]).toEqual(noSecondFactor)
  })
})

describe.each(open)('$call', (row) => {
  // Some of these calls have a rate limit per minute and address, and each row makes several calls.
  beforeEach(() => network.database.rows('truncate rate_limit_hits'))

  it('is open to everybody, whatever their session is worth', async () => {
    const dead = await ownSession('CLOUD_SUPPORT')
    await endSession(dead)
    const waiting = await ownSession('CLOUD_SUPPORT', 'before its second factor')
    for (const token of [null, 'A'.repeat(43), dead, waiting, await ownSession('CLOUD_SUPPORT')])
      expect(row.answered).toContain((await ask(row, token)).status)
  })
})

it.each(open.filter(({ json }) => json !== null))('$call reads no large body', async ({ method, url }) => {
  expect(await askWithoutBody(network.server.address + url, method)).toBe(413)
})

describe('what a role may do with some and not with others', () => {
  it('a room is created from a backup by administrators only', async () => {
    const body = { ...roomDraft({ region: 4711 }), tmpFileName: '00000000-0000-4000-8000-00000000000f' }
    const create = async (role: EveryRole) => refusalOf((await network.as(role)).call('createRoom', { body }))
    for (const role of ['CLOUD_SUPPORT', 'CLOUD_SALES'] as const) expect(await create(role)).toEqual(wrongRole)
    for (const role of ['CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'] as const)
      expect(await create(role)).toEqual([400, 'urn:roomkeeper:invalid-input'])
  })

  it('an Online Shop room is suspended and resumed by administrators only', async () => {
    const room = await network.newRoom({ productType: 'online-shop' })
    const body = { roomName: room, userNotification: false }
    const [sales, operator] = [await network.as('CLOUD_SALES'), await network.as('CLOUD_OPERATOR')]
    const salesOnly = [403, 'urn:roomkeeper:administrators-only']
    for (const call of ['suspendRoom', 'resumeRoom'] as const) {
      // The refusal is the same in every state of the room.
      expect(await refusalOf(sales.call('suspendRoom', { body }))).toEqual(salesOnly)
      expect(await refusalOf(sales.call('resumeRoom', { body }))).toEqual(salesOnly)
      expect((await operator.call(call, { body })).status).toBe(200)
    }
  })

  // shows: operations-sales
  it('sales see, cancel and retry creations, and nothing else', async () => {
    const room = await network.newSuspendedRoom()
    const [sales, operator] = [await network.as('CLOUD_SALES'), await network.as('CLOUD_OPERATOR')]
    const ended = [409, 'urn:roomkeeper:operation-ended']
    const done = [409, 'urn:roomkeeper:operation-not-retryable']
    for (const [kind, mine] of [
      ['room.create', true],
      ['room.suspend', false],
    ] as const) {
      const id = await operationOf(room, kind)
      for (const [client, mayManage] of [
        [sales, mine],
        [operator, true],
      ] as const) {
        const log = client.call('operationLog', { query: { processId: id } })
        if (mayManage) expect((await log).status).toBe(200)
        else expect(await refusalOf(log)).toEqual(wrongRole)
        const cancelled = await refusalOf(client.call('cancelOperation', { params: { id } }))
        expect(cancelled).toEqual(mayManage ? ended : wrongRole)
        const retried = await refusalOf(client.call('retryOperation', { params: { id } }))
        expect(retried).toEqual(mayManage ? done : wrongRole)
      }
    }
  })
})

it('no body is read where there is nothing', async () => {
  for (const path of ['/nothing', '/api/operator/nothing', '/api/nothing', '/'])
    expect(await askWithoutBody(network.server.address + path, 'POST')).toBe(404)
})

// shows: wire-header-only
it('a session counts in its header alone, never as a cookie, and no other site may read an answer or ask first', async () => {
  const token = await ownSession('CLOUD_ADMINISTRATOR')
  const url = `${network.server.address}/api/operator/operators`
  const origin = 'https://elsewhere.example'
  const cookie = `operator=${encodeURIComponent(JSON.stringify({ token }))}; token=${token}`
  expect((await fetch(url, { headers: { cookie, origin } })).status).toBe(401)
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}`, origin } })
  expect(answer.status).toBe(200)
  const asked = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  })
  for (const { headers } of [answer, asked])
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
})

/**
 * The token of a new session that no other test uses, because some calls end the session. Inserted into the database
 * directly, because signing in is slow on purpose.
 */
async function ownSession(role: EveryRole, stage?: 'before its second factor'): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const made = await network.database.rows(
    `insert into sessions (token_hash, operator_id, awaits_second_factor)
     select sha256(convert_to($1, 'UTF8')), id, $3 from operators where email = $2 returning 1`,
    [token, operatorDraft(role).email, stage !== undefined],
  )
  expect(made).toHaveLength(1)
  return token
}

const tokens = {
  CLOUD_SUPPORT: apiTokenText(),
  CLOUD_SALES: apiTokenText(),
  CLOUD_OPERATOR: apiTokenText(),
  CLOUD_ADMINISTRATOR: apiTokenText(),
  expired: apiTokenText(),
  revoked: apiTokenText(),
  elsewhere: apiTokenText(),
  mistyped: apiTokenText().slice(0, -1),
}

/** Gives each token its own owner, because some calls are refused when the same operator repeats them. */
async function makeTokens(): Promise<void> {
  for (const [name, token] of Object.entries(tokens)) {
    await network.database.rows(
      `with owner as (
         insert into operators (email, name, role, password_hash)
         values ($1 || '.token@example.com', $1, case when $1 like 'CLOUD%' then $1 else 'CLOUD_ADMINISTRATOR' end, '')
         returning id, role)
       insert into api_tokens (operator_id, name, role, token_hash, networks, expires_at, revoked_at)
       select id, $1, role, sha256(convert_to($2, 'UTF8')),
              case when $1 = 'elsewhere' then array['192.0.2.0/24'] else '{}' end,
              now() + case when $1 = 'expired' then '-1 second' else '1 day' end::interval,
              case when $1 = 'revoked' then now() end
         from owner`,
      [name, token],
    )
  }
}

async function endSession(token: string): Promise<void> {
  const url = `${network.server.address}/api/operator/sessions`
  const { status } = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  expect(status).toBe(204)
}

/** @returns the status, and the problem type of a refusal */
async function ask(row: AccessRow, token: string | null): Promise<{ status: number; problem: string | null }> {
  const stopReading = new AbortController()
  const form = row.file === null ? null : formWith(row.file)
  const answer = await fetch(network.server.address + row.url, {
    method: row.method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(row.json === null ? {} : { 'content-type': 'application/json' }),
    },
    body: form ?? (row.json === null ? null : JSON.stringify(row.json)),
    signal: stopReading.signal,
  })
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json') === true
  const problem = isProblem ? ((await answer.json()) as { type: string }).type : null
  stopReading.abort()
  return { status: answer.status, problem }
}

function formWith(name: string): FormData {
  const form = new FormData()
  form.append('file', new Blob(['not what it should be']), name)
  return form
}

/** @returns the status and the problem type. A call that is not refused fails the test. */
async function refusalOf(call: Promise<unknown>): Promise<[number, string]> {
  const ended = await call.then(
    (answer) => ({ answer }),
    (error: { problem: { status: number; type: string } }) => error,
  )
  if ('answer' in ended) throw new Error(`The call was not refused: ${JSON.stringify(ended.answer)}`)
  return [ended.problem.status, ended.problem.type]
}

async function operationOf(room: string, kind: string): Promise<string> {
  const [row] = await network.database.rows<{ id: string }>(
    'select id from operations where room_name = $1 and kind = $2',
    [room, kind],
  )
  if (row === undefined) throw new Error(`There is no ${kind} of ${room}.`)
  return row.id
}
