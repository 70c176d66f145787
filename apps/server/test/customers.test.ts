/** What customers can request without signing in: their room's address, the names of their rooms, the languages. */
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { mailServerId, type Problem } from '@roomkeeper/contract'
import { bootNetwork, type Network, type RunningMailServer, startMailServer, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hurry } from './webhooks/deliver-now.ts'

let mailServer: RunningMailServer
let network: Network
beforeAll(async () => {
  mailServer = await startMailServer()
  network = await bootNetwork({ env: { TRUST_PROXY: '1', SMTP_URL: mailServer.url } })
})
afterAll(async () => {
  await network?.stop()
  await mailServer?.stop()
})
afterEach(async () => {
  await network.database.rows('truncate rate_limit_hits')
  mailServer.mails.length = 0
})

describe('the address of a room', () => {
  // shows: C-findCustomerRoom
  it('is on the region of the room, which shows a page there', async () => {
    const name = await network.newRoom()
    const { status, body } = await ask('/api/customer/room', { name: ` ${name.toUpperCase()} ` })
    expect([status, body]).toEqual([200, { url: `${network.regions[0]?.url}/${name}` }])
    expect((await fetch(body.url ?? '')).status).toBe(200)
  })

  it('of an unknown room is not told', async () => {
    const { status, body } = await ask('/api/customer/room', { name: 'nosuchroom' })
    expect([status, body.detail]).toEqual([404, 'There is no project room of this name.'])
    expect((await ask('/api/customer/room', { name: ' ' })).body.detail).toBe('Please enter the project room name.')
  })

  // shows: customer-room-limit
  it('is told ten times a minute to each address, counted over all processes', async () => {
    const other = await network.addServer({ PROCESS: 'api', BACKUP_STORE: `${network.dir}/server/backups` })
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        ask('/api/customer/room', { name: 'nosuchroom' }, '203.0.113.7', index % 2 === 0 ? undefined : other.address),
      ),
    )
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4)
    expect((await ask('/api/customer/room', { name: 'nosuchroom' }, '203.0.113.8')).status).toBe(404)
    await network.database.rows(
      `update rate_limit_hits set hits = array(select one - interval '61 seconds' from unnest(hits) one)`,
    )
    expect((await ask('/api/customer/room', { name: 'nosuchroom' }, '203.0.113.7')).status).toBe(404)
  })

  it('holds up nobody else while the count of an address is locked', async () => {
    const call = () => ask('/api/customer/room', { name: 'nosuchroom' }, '203.0.113.9')
    await call()
    const locked = new pg.Client({ connectionString: network.database.url })
    await locked.connect()
    await locked.query('begin')
    await locked.query('select from rate_limit_hits for update')
    // More than the process has connections.
    const calls = Array.from({ length: 14 }, call)
    try {
      await until('one waits', async () => (await network.database.rows(waitForLocks)).length > 0)
      expect(await Promise.race([network.admin.call('regions', {}), pause(2_000, 'held up')])).not.toBe('held up')
    } finally {
      await locked.end()
    }
    const answers = (await Promise.all(calls)).map(({ status }) => status)
    expect(answers.toSorted()).toEqual([...Array(9).fill(404), ...Array(5).fill(429)])
  })

  it('counts the addresses of one IPv6 network as one', async () => {
    for (let call = 0; call < 10; call += 1) {
      const { status } = await ask('/api/customer/room', { name: 'nosuchroom' }, `2001:db8:0:1:${call}::9`)
      expect(status).toBe(404)
    }
    expect((await ask('/api/customer/room', { name: 'nosuchroom' }, '2001:db8:0:1::1')).status).toBe(429)
    expect((await ask('/api/customer/room', { name: 'nosuchroom' }, '2001:db8:0:2::1')).status).toBe(404)
  })

  // shows: session-proxy
  it('believes X-Forwarded-For only with TRUST_PROXY', async () => {
    const { address } = await network.addServer({
      PROCESS: 'api',
      TRUST_PROXY: '0',
      BACKUP_STORE: `${network.dir}/server/backups`,
    })
    for (let call = 0; call < 10; call += 1) {
      const { status } = await ask('/api/customer/room', { name: 'nosuchroom' }, `198.51.100.${call}`, address)
      expect(status).toBe(404)
    }
    expect((await ask('/api/customer/room', { name: 'nosuchroom' }, '198.51.100.99', address)).status).toBe(429)
  })
})

describe('forgotten room names', () => {
  // shows: C-forgotRoomName, customer-forgot
  it('are mailed to owner and delegate, with the address of each room', async () => {
    const mine = await network.newRoom({ customerEmail: 'Anna@Example.com' })
    const shared = await network.newRoom({
      customerEmail: 'boss@example.com',
      additionalEmail: 'anna@example.com',
      licenses: { YABD: 2 },
    })
    const others = await network.newRoom({ customerEmail: 'boss@example.com' })
    await network.mailsTried()
    mailServer.mails.length = 0
    expect(await ask('/api/customer/forgotRoomName', { email: ' ANNA@example.com ' })).toMatchObject({ status: 204 })
    await until('the mail has arrived', async () => mailServer.mails.length > 0)
    const [mail] = mailServer.mails
    expect(mail?.to?.[0]?.address).toBe('anna@example.com')
    expect(mail?.subject).toBe('Your project rooms')
    expect(mail?.text).toContain(`${network.regions[0]?.url}/${mine}`)
    expect(mail?.text).toContain(shared)
    expect(mail?.text).not.toContain(others)
  })

  // shows: customer-forgot-same
  it('of an address without rooms answer the same, and nothing is mailed', async () => {
    const read = () =>
      network.database.rows('select last_delivered_at, failing_since from webhooks where id = $1', [mailServerId])
    const before = await read()
    await ask('/api/customer/forgotRoomName', { email: 'nobody@example.com' })
    await until('the request is done', async () => (await waiting()) === 0)
    expect(mailServer.mails).toEqual([])
    // Nothing was sent, which says nothing about the mail server.
    expect(await read()).toEqual(before)
    expect((await ask('/api/customer/forgotRoomName', { email: 'no address' })).status).toBe(400)
  })

  it('are not tried again for a stored list of addresses, which no mail reaches', async () => {
    const name = await network.newRoom({ customerEmail: 'listed@example.com' })
    const list = 'listed@example.com, other@example.com'
    await network.database.rows('update rooms set customer_email = $1 where name = $2', [list, name])
    await network.mailsTried()
    mailServer.mails.length = 0
    await ask('/api/customer/forgotRoomName', { email: list })
    await until('the request is done', async () => (await waiting()) === 0)
    expect(mailServer.mails).toEqual([])
  })

  // shows: customer-forgot-limit
  it('are mailed at most three times an hour, and the fourth answer is the same', async () => {
    await network.newRoom({ customerEmail: 'often@example.com' })
    await network.mailsTried()
    mailServer.mails.length = 0
    for (let time = 0; time < 4; time += 1) {
      const email = time % 2 === 0 ? 'often@example.com' : 'OFTEN@example.com'
      expect((await ask('/api/customer/forgotRoomName', { email }, `192.0.2.${time}`)).status).toBe(204)
    }
    await until('the requests are done', async () => (await waiting()) === 0)
    expect(mailServer.mails).toHaveLength(3)
  })

  it('may be asked for ten times a minute from one address', async () => {
    for (let call = 0; call < 10; call += 1)
      expect((await ask('/api/customer/forgotRoomName', { email: `user${call}@example.com` })).status).toBe(204)
    expect((await ask('/api/customer/forgotRoomName', { email: 'one@example.com' })).status).toBe(429)
  })

  it('do not wait for a mail server that says nothing, and survive the server’s death', async () => {
    await network.newRoom({ customerEmail: 'slow@example.com' })
    await network.mailsTried()
    mailServer.mails.length = 0
    const silent = await startSilentServer()
    await network.server.stop()
    await network.restartServer({ SMTP_URL: `smtp://127.0.0.1:${silent.port}` })
    const began = performance.now()
    expect((await ask('/api/customer/forgotRoomName', { email: 'slow@example.com' })).status).toBe(204)
    expect(performance.now() - began).toBeLessThan(2_000)
    await until('the mail is on its way', async () => silent.connections() > 0)
    await network.server.stop('SIGKILL')
    await silent.stop()
    await network.restartServer({ SMTP_URL: mailServer.url })
    await hurry(network, 'claimed')
    await until('the mail has arrived', async () => mailServer.mails.length === 1)
    await until('the request is done', async () => (await waiting()) === 0)
  })
})

describe('languages', () => {
  // shows: C-languages
  it('are the default first, then the others, with German, each with its file of texts', async () => {
    const answer = await fetch(`${network.server.address}/api/customer/languages`)
    const languages = (await answer.json()) as { localeKey: string; file: string }[]
    const keys = languages.map(({ localeKey }) => localeKey)
    expect(keys[0]).toBe('mcp_ui')
    expect(keys).toContain('de')
    const words = await Promise.all(
      languages.map(async ({ file }) => (await fetch(network.server.address + file)).json()),
    )
    const [english, ...others] = words as Record<string, Record<string, unknown>>[]
    for (const other of others) expect(Object.keys(other)).toEqual(Object.keys(english ?? {}))
    expect(JSON.stringify(english?.rooms)).toContain('Project Rooms')
  })
})

const waitForLocks = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

async function ask(path: string, body: object, from = '192.0.2.200', address = network.server.address) {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Partial<Problem & { url: string }> }
}

async function waiting(): Promise<number> {
  const [row] = await network.database.rows<{ open: number }>(
    `select count(*)::int as open from webhook_deliveries where type = 'mail.room-names' and state = 'waiting'`,
  )
  return row?.open ?? 0
}

/** Accepts connections and never answers. */
async function startSilentServer() {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    connections: () => sockets.size,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
