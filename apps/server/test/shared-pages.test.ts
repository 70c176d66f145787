/** Calls for the same page of the list of rooms at the same moment share one read, which began after they were made. */
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { bootNetwork, type Network, type SignedInClient, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

const readingRoles = ['CLOUD_SUPPORT', 'CLOUD_SALES', 'CLOUD_OPERATOR', 'CLOUD_ADMINISTRATOR'] as const

let network: Network
let admin: SignedInClient
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
  admin = network.admin
  for (const tenantName of ['alpha', 'beta', 'gamma']) await network.newRoom({ tenantName })
  await network.settle()
})
afterAll(() => network?.stop())

it('equal calls that wait for a statement share the next one; different ones have their own', async () => {
  const others = [{ page: 1 }, { search: 'alpha' }]
  const { equal, different } = await whileBlocked(async () => {
    const first = await askFirst()
    const equal = Array.from({ length: 6 }, () => ask(admin.token))
    const different = others.map((query) => admin.call('listRooms', { query }))
    await until('their statements wait', async () => (await waiting()).length >= 2 + others.length)
    await pause(200)
    expect((await waiting()).length).toBeLessThan(1 + equal.length + others.length)
    return { equal: [first(), ...equal], different }
  })
  for (const { body } of await Promise.all(equal)) expect(namesOf(JSON.parse(body))).toBe('gamma,beta,alpha')
  expect((await Promise.all(different)).map(({ body }) => namesOf(body))).toEqual(['', 'alpha'])
})

it('the consoles that show the overview share what they ask after the same event', async () => {
  const asked = 30
  const counting = () =>
    network.database.rows(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'ended_at - to_timestamp'`,
    )
  const blocking = new pg.Client({ connectionString: network.database.url })
  await blocking.connect()
  await blocking.query('begin; lock table operations in access exclusive mode')
  const answers = Array.from({ length: asked }, () => admin.call('today', { query: {} }))
  await until('their statements wait', async () => (await counting()).length >= 1)
  await pause(200)
  expect((await counting()).length).toBeLessThan(asked / 3)
  await blocking.query('rollback')
  await blocking.end()
  expect(new Set((await Promise.all(answers)).map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

it('a change that was made before a call is in its answer, also while a statement for the same is under way', async () => {
  // The statement sees what was there when it began, and then takes its time.
  await network.database.rows(`
    alter table regions rename to regions_at_once;
    create view regions as select * from regions_at_once where pg_sleep(0.04) is not null`)
  let isOver = false
  const askAgain = async () => {
    while (!isOver) await ask(admin.token)
  }
  const readers = Array.from({ length: 4 }, askAgain)
  try {
    for (let change = 1; change <= 30; change++) {
      await network.database.rows(`update rooms set company_name = $1 where name = 'beta'`, [`company ${change}`])
      const answers = await Promise.all([ask(admin.token), ask(admin.token)])
      for (const { body } of answers) expect(body).toContain(`"company ${change}"`)
    }
  } finally {
    isOver = true
    await Promise.all(readers)
    await network.database.rows('drop view regions; alter table regions_at_once rename to regions')
  }
})

it('operators of every role who may read the list share it; the others are refused as ever', async () => {
  const roles = await Promise.all(readingRoles.map((role) => network.as(role)))
  const { first, letIn } = await whileBlocked(async () => {
    const first = await askFirst()
    const letIn = roles.map(({ token }) => ask(token))
    const refused = await Promise.all(['A'.repeat(43), 'no token'].map(ask))
    expect(refused.map(({ status }) => status)).toEqual([401, 401])
    await until('they share a statement', async () => (await waiting()).length >= 2)
    return { first, letIn }
  })
  const answers = await Promise.all([first(), ...letIn])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length)
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
})

it('a statement that fails fails those who share it, and nobody before or after them', async () => {
  const { first, after } = await whileBlocked(async () => {
    const first = await askFirst()
    const [statementOfFirst] = await waiting()
    let isAnswered = false
    const sharers = Promise.all(Array.from({ length: 5 }, () => ask(admin.token))).finally(() => {
      isAnswered = true
    })
    const cancelled = new Set<string>()
    await until('all statements but the first have been cancelled', async () => {
      const others = (await waiting()).filter((statement) => statement !== statementOfFirst)
      for (const statement of others) {
        cancelled.add(statement)
        await network.database.rows('select pg_cancel_backend($1::integer)', [statement.split(' ')[0]])
      }
      return isAnswered
    })
    expect((await sharers).map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    expect(cancelled.size).toBeLessThan(5)
    const after = ask(admin.token)
    await until('the next statement waits', async () => (await waiting()).length === 2)
    return { first, after }
  })
  expect([(await first()).status, (await after).status]).toEqual([200, 200])
})

it('a client that goes away takes nothing from those who share its statement', async () => {
  const { first, staying } = await whileBlocked(async () => {
    const first = await askFirst()
    const leaving = send(admin.token)
    leaving.on('error', () => undefined)
    await pause(20)
    const staying = [ask(admin.token), ask(admin.token)]
    await until('they share a statement', async () => (await waiting()).length >= 2)
    leaving.destroy()
    return { first, staying }
  })
  const all = await Promise.all([first(), ...staying])
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
})

/** Statements that read rooms wait until `work` has ended. */
async function whileBlocked<T extends object>(work: () => Promise<T>): Promise<T> {
  const blocking = new pg.Client({ connectionString: network.database.url })
  await blocking.connect()
  try {
    await blocking.query('begin; lock table rooms in access exclusive mode')
    return await work()
  } finally {
    await blocking.query('rollback')
    await blocking.end()
  }
}

/** The statements that wait for a lock: the process id of PostgreSQL, and since when. */
async function waiting(): Promise<string[]> {
  const found = await network.database.rows<{ statement: string }>(
    `select concat_ws(' ', pid, query_start) as statement from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return found.map(({ statement }) => statement)
}

interface PageAnswer {
  status: number | undefined
  /** The id of the request. */
  id: unknown
  body: string
}

/** @returns when the statement waits; the answer follows, so it is wrapped */
async function askFirst(): Promise<() => Promise<PageAnswer>> {
  const answer = ask(admin.token)
  await until('its statement waits', async () => (await waiting()).length === 1)
  return () => answer
}

function send(token: string): ClientRequest {
  const headers = { authorization: `Bearer ${token}` }
  return request(`${network.server.address}/api/operator/get_tenants`, { method: 'POST', headers, agent: false }).end()
}

async function ask(token: string): Promise<PageAnswer> {
  const [answer] = (await once(send(token), 'response')) as [IncomingMessage]
  return { status: answer.statusCode, id: answer.headers['x-request-id'], body: await text(answer) }
}

function namesOf({ data }: { data: readonly { tenantName: string }[] }): string {
  return data.map(({ tenantName }) => tenantName).join()
}
