/** Tickets: links with which a browser itself downloads an export or a backup, without the header of its session. */
import { createHash } from 'node:crypto'
import { type Client, createClient } from '@roomkeeper/contract'
import { bootNetwork, type Network, operatorDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

let network: Network
let room: string
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { LOG_LEVEL: 'debug' } })
  room = await network.newRoom({ companyName: 'Sun, Moon & 100%' })
  await network.newRoom()
  await network.database.rows('insert into live_migrations (id, source_region_id, target_region_id) values (1, 1, 2)')
})
afterAll(() => network?.stop())
beforeEach(() => network.database.rows('delete from download_tickets'))

/** The calls that make tickets, for CSV. */
const makers = {
  rooms: (client: Client) => client.call('createRoomsTicket', { body: { query: {} } }),
  audit: (client: Client) => client.call('createAuditTicket', { body: { query: {} } }),
  logs: (client: Client) => client.call('createMigrationLogsTicket', { body: { id: 1 } }),
}
const recordedAs = { rooms: 'export.rooms', audit: 'export.audit', logs: 'export.migration-logs' } as const
const ticketFor = async (maker: keyof typeof makers, client: Client = network.admin) =>
  (await makers[maker](client)).body.url
const follow = (url: string, address = network.server.address) => fetch(address + url)
const told = async (url: string) => {
  const answer = await follow(url)
  const { type, detail } = (await answer.json()) as { type: string; detail: string }
  return [answer.status, type.replace('urn:roomkeeper:', ''), detail]
}
const expired = [404, 'link-expired', 'This link is not valid (any more). Please ask for a new one.']

describe('an export by ticket', () => {
  // shows: C-createRoomsTicket, C-downloadRooms, C-createAuditTicket, C-downloadAudit, C-createMigrationLogsTicket, C-downloadMigrationLogs
  it.each([
    ['rooms', /^attachment; filename="projectRooms_\d{4}-.*Z\.csv"$/, 'Product,Name,Edition,'],
    ['audit', /^attachment; filename="audit_\d{4}-.*Z\.csv"$/, 'Number,Time,Operator,'],
    ['logs', /^attachment; filename="livemigration_logs_\d{4}-.*Z\.csv"$/, 'Project room,'],
  ] as const)('of %s is the file as the call with the session answers it', async (maker, name, titles) => {
    const url = await ticketFor(maker)
    expect(url).toMatch(/^\/api\/operator\/[\w/]+\/download\/[\w-]{43}$/)
    const { status, headers, text } = await follow(url).then(async (answer) => ({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text: await answer.text(),
    }))
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['content-disposition']).toMatch(name)
    expect(Object.keys(headers).filter((each) => each.startsWith('access-control-'))).toEqual([])
    expect(text.split('\r\n')[0]).toContain(titles)
    const [recorded] = (await network.admin.call('audit', { query: { action: 'export.', size: 1 } })).body.data
    const rows = text.split('\r\n').length - 2
    expect(recorded).toMatchObject({ action: recordedAs[maker], detailReasons: [{ params: { rows } }] })
  })

  it('has the query of the call that asked for it, also one that no address could hold', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `${String(index).padStart(23, 'x')}y`)
    const { body } = await network.admin.call('createRoomsTicket', {
      body: {
        query: {
          search: 'sun 100%',
          filter_keys: ['tenantName', 'companyName'],
          filter_values: [[...names, room].join('||'), 'Sun, Moon & 100%'],
          filter_conditions: ['IN', 'EQUALS'],
        },
      },
    })
    expect(body.url.length).toBeLessThan(120)
    const lines = (await (await follow(body.url)).text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(room)
  })

  it('is not used up by a look at it', async () => {
    const url = await ticketFor('rooms')
    expect((await fetch(network.server.address + url, { method: 'HEAD' })).status).toBe(404)
    expect((await follow(url)).status).toBe(200)
  })

  it('is one of the ten newest of its session that were not used', async () => {
    const urls: string[] = []
    for (let made = 0; made < 12; made += 1) urls.push(await ticketFor('audit'))
    const other = await ticketFor('audit', await network.as('CLOUD_OPERATOR'))
    const [kept] = await network.database.rows<{ count: string }>('select count(*) from download_tickets')
    expect(Number(kept?.count)).toBe(11)
    expect(await told(urls[1] ?? '')).toEqual(expired)
    for (const url of [urls[2] ?? '', urls[11] ?? '', other]) expect((await follow(url)).status).toBe(200)
  })

  it('is refused before there is a link, if it would be refused', async () => {
    const wrongFilter = { filter_keys: ['nothing'], filter_values: ['1'], filter_conditions: ['EQUALS'] }
    const refused = (code: string) => ({ problem: { type: `urn:roomkeeper:${code}` } })
    const rooms = network.admin.call('createRoomsTicket', { body: { query: wrongFilter } })
    await expect(rooms).rejects.toMatchObject(refused('invalid-filter'))
    const logs = network.admin.call('createMigrationLogsTicket', { body: { id: 2 } })
    await expect(logs).rejects.toMatchObject(refused('migration-unknown'))
    expect(await network.database.rows('select 1 from download_tickets')).toEqual([])
  })
})

describe('a ticket', () => {
  it('is good once, for its own download, in every process, also after a restart', async () => {
    const url = await ticketFor('rooms')
    expect(await told(url.replace('export_tenants', 'audit/export'))).toEqual(expired)
    expect(await told(url.replace(/.{43}$/, 'A'.repeat(43)))).toEqual(expired)
    const other = await network.addServer()
    const answers = await Promise.all([
      follow(url),
      follow(url, other.address),
      follow(url),
      follow(url, other.address),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    await Promise.all(answers.map((answer) => answer.text()))
    const kept = await ticketFor('audit')
    await network.server.stop()
    await network.restartServer()
    expect((await follow(kept)).status).toBe(200)
    expect(await told(kept)).toEqual(expired)
  })

  it('is good for one minute, and is then cleared away', async () => {
    const url = await ticketFor('rooms')
    const [row] = await network.database.rows<{ left: number }>(
      'select extract(epoch from expires_at - now())::int as left from download_tickets',
    )
    expect(row?.left).toBeGreaterThan(50)
    expect(row?.left).toBeLessThanOrEqual(60)
    await network.database.rows(`update download_tickets set expires_at = now() - interval '1 second'`)
    expect(await told(url)).toEqual(expired)
    await network.server.stop()
    await network.restartServer()
    await until('it is gone', async () => (await network.database.rows('select 1 from download_tickets')).length === 0)
  })

  it('is worth nothing once the operator who asked for it has signed out, waits for a second factor, or has lost the right', async () => {
    const client = await signedIn()
    const other = await signedIn()
    const account = (change: string) =>
      network.database.rows(`update operators set ${change} where email = $1`, [operator.email])
    const sessions = (change: string) => network.database.rows(`update sessions set ${change}`)
    const [ofAudit, ofLogs, ofRooms] = [
      await ticketFor('audit', client),
      await ticketFor('logs', client),
      await ticketFor('rooms', client),
    ]
    await account(`role = 'CLOUD_SALES'`)
    expect((await told(ofAudit)).slice(0, 2)).toEqual([403, 'not-allowed'])
    await account(`role = 'CLOUD_OPERATOR'`)
    await sessions('awaits_second_factor = true')
    expect((await told(ofLogs)).slice(0, 2)).toEqual([403, 'second-factor-missing'])
    await sessions('awaits_second_factor = false')
    await client.call('signOut', {})
    // The operator is still there with another session, which is not the one that asked.
    expect((await other.call('permissions', {})).status).toBe(200)
    expect((await told(ofRooms)).slice(0, 2)).toEqual([401, 'session-expired'])
    const ofRemoved = await ticketFor('rooms', other)
    await network.database.rows('delete from operators where email = $1', [operator.email])
    expect((await told(ofRemoved)).slice(0, 2)).toEqual([401, 'session-expired'])
  })

  // shows: rooms-ticket
  it('for a backup ends with the session that asked for it too', async () => {
    const client = await signedIn()
    const [row] = await network.database.rows<{ id: string }>(
      `insert into room_backups (id, room_id, room_name, kind, location, size, sha256)
       select gen_random_uuid(), id, name, 'classic', 'rooms/none.zip', 1, repeat('0', 64) from rooms limit 1 returning id`,
    )
    const { url } = (await client.call('createBackupTicket', { params: { id: row?.id ?? '' } })).body
    // There is no such file, and operators who may have it get that error.
    expect((await told(url)).slice(0, 2)).toEqual([404, 'backup-unknown'])
    await client.call('signOut', {})
    expect((await told(url)).slice(0, 2)).toEqual([401, 'session-expired'])
  })

  it('is in no log and not in the database, used or refused', async () => {
    const [used, refused] = [await ticketFor('rooms'), await ticketFor('audit')]
    await (await follow(used)).text()
    const wrong = refused.replace('audit/export', 'livemigration/export')
    expect(await (await follow(wrong)).text()).not.toContain(ticketIn(refused))
    await follow(`${refused}/more`)
    await follow(`${used}?${ticketIn(used)}`)
    await until('all are logged', async () => network.server.output().split('/download/[ticket]').length > 4)
    for (const url of [used, refused]) {
      expect(network.server.output()).not.toContain(ticketIn(url))
      const digest = createHash('sha256').update(ticketIn(url)).digest('hex')
      expect(network.server.output()).not.toContain(digest)
    }
    const stored = await network.database.rows<{ text: string }>(
      'select download_tickets::text as text from download_tickets',
    )
    expect(stored).toHaveLength(1)
    expect(stored[0]?.text).not.toContain(ticketIn(refused))
  })
})

const operator = operatorDraft('CLOUD_OPERATOR')

/** A session of its own for an operator, who is made if necessary. */
async function signedIn(): Promise<Client> {
  await network.admin.call('createOperator', { body: operator }).catch(() => undefined)
  let token: string | null = null
  const client = createClient({ base: network.server.address, token: () => token })
  token = (await client.call('signIn', { body: operator })).body.token
  return client
}

const ticketIn = (url: string) => url.split('/').at(-1) ?? ''
