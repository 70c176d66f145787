import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ProblemError } from '@roomkeeper/contract'
import { administrator, bootNetwork, type Network, operatorDraft, signIn, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeDeadSessions } from '#operators/index.ts'
import { openDatabase } from '#platform/database.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({
    regions: 0,
    env: { TRUST_PROXY: '1', OIDC_ISSUER: 'https://idp.example', OIDC_CLIENT_ID: 'console' },
  })
})
afterAll(() => network?.stop())
beforeEach(() => network.database.rows('delete from failed_sign_ins'))

describe('signing in', () => {
  // shows: C-signIn, session-token-hash
  it('answers with a token, who it is, and the role; the token is not stored', async () => {
    const { body } = await network.admin.call('signIn', { body: administrator })
    expect(body).toMatchObject({ email: administrator.email, role: 'CLOUD_ADMINISTRATOR', secondFactor: false })
    expect(Buffer.from(body.token, 'base64url').length).toBe(32)
    const hash = createHash('sha256').update(body.token).digest('hex')
    expect(await tablesThatHold(hash)).toEqual(['sessions'])
    // Binary columns appear as hexadecimal text in rows.
    for (const form of [body.token, hexOf(body.token, 'utf8'), hexOf(body.token, 'base64url')])
      expect(await tablesThatHold(form)).toEqual([])
  })

  it('does not care for the case of the e-mail address', async () => {
    const email = administrator.email.toUpperCase()
    expect((await network.admin.call('signIn', { body: { ...administrator, email } })).body.email).toBe(
      administrator.email,
    )
  })

  // shows: session-same-words
  it('refuses a wrong password and an unknown address with the same words', async () => {
    const wrong = await refusalOf({ ...administrator, password: 'wrong' })
    const unknown = await refusalOf({ email: 'nobody@example.com', password: 'wrong' })
    expect(wrong).toEqual(unknown)
    expect(wrong).toMatchObject({ status: 401, title: 'Wrong credentials', detail: 'Wrong username or password' })
  })

  // shows: session-same-time
  it.skipIf(!existsSync('/proc/self/stat'))(
    'works as much for an unknown address as for a wrong password, so that the time tells nobody who has an account',
    async () => {
      const work = { known: 0, unknown: 0 }
      // Alternates and measures the server's processor time, so that other load on the machine makes no difference.
      for (let round = 0; round < 6; round += 1) {
        const guess = { password: 'wrong' }
        work.known += await workOf(() => refusalOf({ ...guess, email: administrator.email }, `198.51.100.${round}`))
        work.unknown += await workOf(() => refusalOf({ ...guess, email: `nobody${round}@example.com` }))
      }
      // Much more time than everything except hashing a password takes.
      expect(work.known).toBeGreaterThan(50)
      expect(work.unknown / work.known).toBeGreaterThan(0.6)
      expect(work.unknown / work.known).toBeLessThan(1.7)
    },
  )

  // shows: session-throttle
  it('is slowed down after ten failures for an e-mail from one address, and only from there', async () => {
    for (let failures = 0; failures < 10; failures += 1)
      await refusalOf({ ...administrator, password: 'wrong' }, '203.0.113.1')
    const slowed = await refusalOf(administrator, '203.0.113.1')
    expect(slowed.status).toBe(429)
    expect(slowed.detail).toMatch(/try again in \d+ minutes/)
    expect((await attempt(administrator, '203.0.113.2')).status).toBe(200)
    expect((await attempt({ email: 'other@example.com', password: 'x' }, '203.0.113.1')).status).toBe(401)
  })

  it('is slowed down as exactly when all attempts come at once', async () => {
    const body = { ...administrator, password: 'wrong' }
    const answers = await Promise.all(Array.from({ length: 200 }, () => attempt(body, '203.0.113.3')))
    const statuses = answers.map((answer) => answer.status)
    const looked = statuses.filter((status) => status === 401).length
    expect(looked).toBeLessThanOrEqual(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(200 - looked)
    const [counted] = await network.database.rows<{ n: number }>('select count(*)::int as n from failed_sign_ins')
    expect(counted?.n).toBe(looked)
    // Refused attempts do not count: as many attempts are left as if they had come one by one.
    for (let failures = looked; failures < 10; failures += 1)
      expect((await attempt(body, '203.0.113.3')).status).toBe(401)
    expect((await attempt(administrator, '203.0.113.3')).status).toBe(429)
  })

  it('writes nothing for those whom it slows down', async () => {
    const insert = `insert into failed_sign_ins (email, address) select $1, '203.0.113.4' from generate_series(1, 10)`
    await network.database.rows(insert, [administrator.email])
    const ids = `select last_value as last from pg_sequences where sequencename = 'failed_sign_ins_id_seq'`
    const before = await network.database.rows<{ last: string }>(ids)
    for (let tries = 0; tries < 3; tries += 1) expect((await refusalOf(administrator, '203.0.113.4')).status).toBe(429)
    expect(await network.database.rows(ids)).toEqual(before)
  })

  it('is slowed down for a whole /64 of IPv6, and for no other', async () => {
    const insert = `insert into failed_sign_ins (email, address) select $1, '2001:db8:1:2::/64' from generate_series(1, 9)`
    await network.database.rows(insert, [administrator.email])
    await refusalOf({ ...administrator, password: 'wrong' }, '2001:db8:1:2::7')
    expect((await refusalOf(administrator, '2001:db8:1:2:3:4:5:6')).status).toBe(429)
    expect((await attempt(administrator, '2001:db8:1:3::7')).status).toBe(200)
  })

  // shows: session-throttle-address
  it('is slowed down after a hundred failures from one address, whatever the e-mail', async () => {
    await network.database.rows(
      `insert into failed_sign_ins (email, address) select 'guess' || n || '@example.com', '203.0.113.9' from generate_series(1, 100) n`,
    )
    expect((await refusalOf(administrator, '203.0.113.9')).status).toBe(429)
  })

  it('is slowed down after three hundred failures from a /48 of IPv6, and from nowhere else', async () => {
    await failuresFrom(`'2001:db8:1:' || to_hex(n) || '::/64'`)
    const another = '2001:db8:1:ffff::7'
    expect((await attempt({ email: 'guess@example.com', password: 'wrong' }, another)).status).toBe(401)
    const slowed = await refusalOf(administrator, another)
    expect(slowed).toMatchObject({ status: 429, detail: expect.stringMatching(/try again in \d+ minutes/) })
    for (const elsewhere of ['2001:db8:10:1::7', '2001:db8:2:1::7', '198.51.100.1'])
      expect((await attempt(administrator, elsewhere)).status).toBe(200)
  })

  it('is not slowed down by what comes from the addresses beside an IPv4 address, which are other people’s', async () => {
    await failuresFrom(`'198.51.100.' || n % 250`)
    expect((await attempt({ email: 'guess@example.com', password: 'wrong' }, '198.51.100.2')).status).toBe(401)
    for (const beside of ['198.51.100.255', '198.51.100.2'])
      expect((await attempt(administrator, beside)).status).toBe(200)
  })

  it('says how long the limit that was reached still lasts, not how old the network’s other failures are', async () => {
    await failuresOf('colleague@example.com', 1, '14 minutes')
    await failuresOf(administrator.email, 10, '1 minute')
    expect(await minutesToWait()).toBeGreaterThan(5)
  })

  it('says how long the last of several reached limits lasts', async () => {
    await failuresOf('colleague@example.com', 100, '14 minutes')
    await failuresOf(administrator.email, 10, '1 minute')
    expect(await minutesToWait()).toBeGreaterThan(5)
  })

  it('says how long the limit of the network lasts when only that was reached', async () => {
    await failuresOf('colleague@example.com', 99, '10 minutes')
    await failuresOf(administrator.email, 1, '0 minutes')
    expect(await minutesToWait()).toBeLessThanOrEqual(5)
  })

  async function failuresOf(email: string, count: number, age: string): Promise<void> {
    await network.database.rows(
      `insert into failed_sign_ins (email, address, at)
         select $1, '203.0.113.8', now() - $3::interval from generate_series(1, $2::int)`,
      [email, count, age],
    )
  }

  async function minutesToWait(): Promise<number> {
    const answer = await attempt(administrator, '203.0.113.8')
    expect(answer.status).toBe(429)
    const { detail } = (await answer.json()) as { detail: string }
    const minutes = Number(/in (\d+) minutes/.exec(detail)?.[1])
    expect(answer.headers.get('retry-after')).toBe(String(minutes * 60))
    return minutes
  }

  /** @param network64 an SQL expression of the failure's number `n` */
  function failuresFrom(network64: string): Promise<unknown> {
    return network.database.rows(
      `insert into failed_sign_ins (email, address)
         select 'guess' || n || '@example.com', ${network64} from generate_series(1, 299) n`,
    )
  }

  // shows: session-proxy
  it.each([
    ['1', '203.0.113.2'],
    ['2', '203.0.113.1'],
    ['127.0.0.0/8', '203.0.113.2'],
    ['127.0.0.1,203.0.113.2', '203.0.113.1'],
    ['10.0.0.0/8', '127.0.0.1'],
  ])('believes about its caller what the proxies of TRUST_PROXY=%s wrote, and nothing else', async (setting, from) => {
    const server = await network.addServer({ PROCESS: 'api', TRUST_PROXY: setting })
    const email = `${setting.replaceAll(/\W/g, '-')}@example.com`
    await attempt({ email, password: 'x' }, '192.0.2.99, 203.0.113.1, 203.0.113.2', server.address)
    const entries = await network.database.rows<{ detail: string }>('select detail from audit where actor = $1', [
      email,
    ])
    expect(entries).toEqual([{ detail: `from ${from}` }])
    await server.stop()
  })

  it('leaves failed attempts in the audit trail, without the password', async () => {
    await refusalOf({ email: 'guessed@example.com', password: 'a very secret guess' })
    const entries = await network.database.rows<{ action: string }>('select action from audit where actor = $1', [
      'guessed@example.com',
    ])
    expect(entries).toEqual([{ action: 'operator.sign-in-failed' }])
    for (const form of ['a very secret guess', hexOf('a very secret guess', 'utf8')])
      expect(await tablesThatHold(form)).toEqual([])
  })

  it.each([
    ['the actor of an API token', `${administrator.email} (token CI nightly)`],
    ['the system', 'system'],
    ['a terminal to control', 'x\u001b]0;pwned\u0007@example.com\u202e'],
  ])('names nobody as its actor when somebody types what looks like %s', async (_, email) => {
    await refusalOf({ email, password: 'wrong' }, '203.0.113.50')
    const [entry] = await network.database.rows<{ actor: string; detail: string }>(
      `select actor, detail from audit order by id desc limit 1`,
    )
    expect(entry).toEqual({
      actor: 'unknown',
      detail: `from 203.0.113.50, as ${JSON.stringify(email.replaceAll(/[\p{Cc}\u202e]/gu, '\ufffd'))}`,
    })
  })

  it('has the account as its actor, however its address was typed', async () => {
    await refusalOf({ email: ` ${administrator.email.toUpperCase()}`, password: 'wrong' }, '203.0.113.51')
    const [entry] = await network.database.rows<{ actor: string }>('select actor from audit order by id desc limit 1')
    expect(entry?.actor).toBe(administrator.email)
  })
})

describe('a session', () => {
  // shows: C-signOut
  it('is dead at once after signing out', async () => {
    const client = await network.newSession()
    await client.call('signOut', {})
    await expect(client.call('permissions', {})).rejects.toMatchObject({
      problem: { status: 401, title: 'Session Expired' },
    })
  })

  it('is dead for the next call also while calls of others share the look-ups of sessions', async () => {
    const [leaving, staying] = [await network.newSession(), await network.newSession()]
    const knock = async () => {
      for (;;) await Promise.all([staying.call('permissions', {}), leaving.call('permissions', {})])
    }
    const refusals = Promise.allSettled(Array.from({ length: 8 }, knock))
    await leaving.call('signOut', {})
    const after = await Promise.allSettled(Array.from({ length: 20 }, () => leaving.call('permissions', {})))
    expect(new Set(after.map(({ status }) => status))).toEqual(new Set(['rejected']))
    for (const each of await refusals) expect(each).toMatchObject({ reason: { problem: { status: 401 } } })
    await staying.call('permissions', {})
  })

  // shows: C-checkSession, session-limits
  it.each([
    ['after half an hour without a call', 'last_used_at', '31 minutes'],
    ['twelve hours after signing in', 'created_at', '12 hours 1 minute'],
  ])('is over %s', async (_, column, age) => {
    const client = await network.newSession()
    await setAge(client.token, column, age)
    await expect(client.call('checkSession', {})).rejects.toMatchObject({ problem: { status: 401 } })
  })

  // A session that is merely over does not end the transfers that it began, unlike one that was ended.
  it('is known for a day after it is over', async () => {
    const client = await network.newSession()
    const database = openDatabase(network.database.url, { timeoutSeconds: 15 })
    const known = async (age: string) => {
      await setAge(client.token, 'created_at', age)
      await removeDeadSessions(database.db)
      const one = `select from sessions where token_hash = sha256(convert_to($1, 'UTF8'))`
      return (await network.database.rows(one, [client.token])).length === 1
    }
    expect(await known('35 hours 59 minutes')).toBe(true)
    expect(await known('36 hours 1 minute')).toBe(false)
    await database.close()
  })

  // shows: wire-idle
  it('is kept alive by calls, but not by background polling', async () => {
    const client = await network.newSession()
    await setAge(client.token, 'last_used_at', '20 minutes')
    await client.call('runningOperations', { headers: { 'x-background': '1' } })
    expect(await idleMinutes(client.token)).toBeGreaterThanOrEqual(19)
    await client.call('runningOperations', {})
    expect(await idleMinutes(client.token)).toBe(0)
  })

  it('is written as used once for calls that come at once', async () => {
    const client = await network.newSession()
    await setAge(client.token, 'last_used_at', '20 minutes')
    await network.database.rows(`
      create table uses (at timestamptz);
      create function note_use() returns trigger language plpgsql as 'begin insert into uses values (now()); return null; end';
      create trigger note_use after update on sessions for each row execute function note_use()`)
    const locked = new pg.Client({ connectionString: network.database.url })
    await locked.connect()
    try {
      await locked.query('begin')
      await locked.query('select from sessions for update')
      const calls = [1, 2, 3].map(() => client.call('runningOperations', {}))
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await until('they wait', async () => (await network.database.rows(waiting)).length === calls.length)
      await locked.query('commit')
      await Promise.all(calls)
      expect(await network.database.rows('select from uses')).toHaveLength(1)
    } finally {
      await locked.end()
      await network.database.rows('drop function note_use cascade; drop table uses')
    }
  })
})

describe('operator accounts', () => {
  // shows: C-createOperator, C-changeOperator
  it('can be added, changed and removed; a new role ends the sessions', async () => {
    const draft = operatorDraft('CLOUD_SALES')
    const { body: made } = await network.admin.call('createOperator', { body: { ...draft, email: 'temp@example.com' } })
    const client = await signIn(() => network.server.address, { email: 'temp@example.com', password: draft.password })
    const body = { email: 'temp@example.com', name: 'Changed', role: 'CLOUD_SUPPORT' } as const
    expect((await network.admin.call('changeOperator', { params: { id: made.id }, body })).body).toMatchObject({
      name: 'Changed',
    })
    await expect(client.call('permissions', {})).rejects.toMatchObject({ problem: { status: 401 } })
    await network.admin.call('deleteOperator', { params: { id: made.id } })
    await expect(
      signIn(() => network.server.address, { email: 'temp@example.com', password: draft.password }),
    ).rejects.toThrow(ProblemError)
  })

  // shows: accounts-last
  it('keep one administrator: nobody deletes or demotes themself', async () => {
    const accounts = (await network.admin.call('operators', {})).body
    const own = accounts.find((each) => each.email === administrator.email)
    const params = { id: own?.id ?? '' }
    await expect(network.admin.call('deleteOperator', { params })).rejects.toMatchObject({ problem: { status: 409 } })
    const body = { email: administrator.email, name: 'x', role: 'CLOUD_SUPPORT' } as const
    await expect(network.admin.call('changeOperator', { params, body })).rejects.toMatchObject({
      problem: { status: 409 },
    })
  })
})

describe('the identity provider', () => {
  it('is told to everybody, because the console needs it before signing in', async () => {
    const answer = await fetch(`${network.server.address}/api/operator/okta`)
    expect(await answer.json()).toEqual({ issuer: 'https://idp.example', clientId: 'console', on: false })
  })
})

function attempt(
  body: { email: string; password: string },
  address = '203.0.113.77',
  server = network.server.address,
): Promise<Response> {
  return fetch(`${server}/api/operator/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  })
}

async function refusalOf(body: { email: string; password: string }, address?: string) {
  const answer = await attempt(body, address)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  return (await answer.json()) as { status: number; title: string; detail: string }
}

function hexOf(text: string, encoding: 'utf8' | 'base64url'): string {
  return Buffer.from(text, encoding).toString('hex')
}

/** The tables of the database that have a row containing this text. */
async function tablesThatHold(text: string): Promise<string[]> {
  const tables = await network.database.rows<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`,
  )
  const found = await Promise.all(
    tables.map(({ name }) =>
      network.database.rows(`select from "${name}" row where strpos(row::text, $1) > 0 limit 1`, [text]),
    ),
  )
  return tables.flatMap(({ name }, index) => (found[index]?.length === 0 ? [] : name))
}

/** The processor time that the server spends on the work, on all processors together, in hundredths of a second. */
async function workOf(what: () => Promise<unknown>): Promise<number> {
  const before = await ticksOfServer()
  await what()
  return (await ticksOfServer()) - before
}

async function ticksOfServer(): Promise<number> {
  const stat = await readFile(`/proc/${network.server.child.pid}/stat`, 'utf8')
  // Skips the name of the program. In the whole line, state is the third field, utime the 14th and stime the 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

async function setAge(token: string, column: string, age: string): Promise<void> {
  await network.database.rows(
    `update sessions set ${column} = now() - $2::interval where token_hash = sha256(convert_to($1, 'UTF8'))`,
    [token, age],
  )
}

async function idleMinutes(token: string): Promise<number> {
  const [row] = await network.database.rows<{ minutes: number }>(
    `select floor(extract(epoch from now() - last_used_at) / 60)::int as minutes from sessions where token_hash = sha256(convert_to($1, 'UTF8'))`,
    [token],
  )
  return row?.minutes ?? -1
}
