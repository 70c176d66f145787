import { type Client, createClient } from '@roomkeeper/contract'
import {
  bootNetwork,
  createNetworkDatabase,
  type Network,
  roomDraft,
  type SignedInClient,
  until,
} from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 1 })
})
afterAll(() => network?.stop())

describe('the event stream', () => {
  // shows: C-events
  it('tells of a creation from its start to its end', async () => {
    const stream = await openStream(network.admin)
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    await network.settle()
    await until(
      'both have come',
      async () => stream.of('room', body.tenantName) >= 2 && stream.of('operation', body.tenantName) > 4,
    )
    stream.close()
  })

  // shows: C-events, events-resume
  it('goes on where it was cut: nothing is missed, nothing comes twice', async () => {
    const whole = await openStream(network.admin)
    const cut = await openStream(network.admin)
    await network.admin.call('createRoom', { body: roomDraft() })
    await until('something has come', async () => cut.events.length > 2)
    cut.close()
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    await network.settle()
    const resumed = await openStream(network.admin, cut.events.at(-1)?.id)
    const last = roomDraft()
    await network.admin.call('createRoom', { body: last })
    await network.settle()
    const complete = () => [...cut.events, ...resumed.events].map((each) => each.id)
    await until(
      'both streams have everything',
      async () => complete().length === whole.events.length && whole.of('room', last.tenantName) >= 2,
    )
    expect(complete()).toEqual(whole.events.map((each) => each.id))
    whole.close()
    resumed.close()
  })

  it('is one of a limited number for each session or API token, and for each operator; one that ends makes room', async () => {
    const role = 'CLOUD_SALES'
    const sales = await network.as(role)
    const over = new AbortController()
    const tokens = await Promise.all(
      Array.from({ length: 6 }, async (_, number) => {
        const { token } = (await sales.call('createToken', { body: { name: `Streams ${number}`, role } })).body
        return createClient({ base: network.server.address, token: () => token })
      }),
    )
    // An answer that nothing refers to is collected, and its connection ends.
    const streams: object[] = []
    const open = async (client: Client, signal = over.signal) => {
      streams.push(await client.open('events', { signal }))
    }
    const [first, ...others] = tokens as [Client, ...Client[]]
    const leaving = new AbortController()
    await open(first, leaving.signal)
    for (let stream = 1; stream < 20; stream += 1) await open(first)
    const tooMany = { problem: { status: 429, type: 'urn:roomkeeper:too-many-streams' } }
    await expect(open(first)).rejects.toMatchObject(tooMany)
    await Promise.all(others.slice(0, 4).flatMap((client) => Array.from({ length: 20 }, () => open(client))))
    await expect(open(sales)).rejects.toMatchObject(tooMany)
    await open(network.admin)
    leaving.abort()
    await until('there is room again', async () =>
      open(first).then(
        () => true,
        () => false,
      ),
    )
    over.abort()
    expect(streams).toHaveLength(102)
  })

  it('says that it must be read anew when the events after its cursor are gone', async () => {
    const stream = await openStream(network.admin, '1-1')
    await until('the reset has come', async () => stream.text().includes('event: reset'))
    stream.close()
  })

  it('misses no event of transactions that commit late and out of order', async () => {
    const stream = await openStream(network.admin)
    const rooms = Array.from({ length: 8 }, (_, index) => `late${index}`)
    const transactions = await Promise.all(rooms.map(() => beginTransaction()))
    for (const [index, room] of rooms.entries()) await transactions[index]?.announce(room)
    const [first, ...others] = transactions
    for (const other of others.toReversed()) await other.commit()
    const [now] = await network.database.rows<{ at: string }>('select clock_timestamp()::text as at')
    // A server that does not wait for the first transaction would send the other events at once and miss the first.
    await until(
      'the server has looked at the events while the oldest transaction was open',
      async () => (await eventsWereRead(now?.at ?? '')) || stream.of('room', 'late7') > 0,
    )
    await first?.commit()
    await until('all have come', async () => rooms.every((room) => stream.of('room', room) > 0))
    expect(rooms.map((room) => stream.of('room', room))).toEqual(rooms.map(() => 1))
    stream.close()
  })

  // shows: events-migration
  it('tells administrators only of live migrations', async () => {
    const [admin, support] = [await openStream(network.admin), await openStream(await network.as('CLOUD_SUPPORT'))]
    const payloads = [
      { type: 'migration', id: 1 },
      { type: 'room', room: 'aftermigration', gone: false },
    ]
    for (const payload of payloads) await network.database.rows('insert into events (payload) values ($1)', [payload])
    for (const stream of [admin, support])
      await until('the later event has come', async () => stream.of('room', 'aftermigration') === 1)
    const isMigration = ({ type }: { type: string }) => type === 'migration'
    expect(admin.events.filter(isMigration)).toHaveLength(1)
    expect(support.events.filter(isMigration)).toEqual([])
    admin.close()
    support.close()
  })

  it('waits for no transaction of another database on the same PostgreSQL', async () => {
    const other = await createNetworkDatabase()
    const client = new pg.Client({ connectionString: other.url })
    await client.connect()
    await client.query('begin; create table kept_open ()')
    const stream = await openStream(network.admin)
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    await until('it has come', async () => stream.of('room', body.tenantName) > 0)
    stream.close()
    await client.end()
    await other.drop()
  })

  // shows: wire-streams-end
  it('ends with its session, and with no other', async () => {
    const client = await network.as('CLOUD_SUPPORT')
    const [stream, other] = [await openStream(client), await openStream(network.admin)]
    await client.call('signOut', {})
    await until('the stream has ended', async () => stream.ending() !== null, 60)
    expect(stream.ending()).toBe('ended by the server')
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    await until('the other stream goes on', async () => other.of('room', body.tenantName) > 0)
    expect(other.ending()).toBeNull()
    expect(stream.of('room', body.tenantName)).toBe(0)
    other.close()
  })
})

/** A transaction that writes events and commits on command. */
async function beginTransaction() {
  const client = new pg.Client({ connectionString: network.database.url })
  await client.connect()
  await client.query('begin')
  return {
    announce: (room: string) =>
      client.query('insert into events (payload) values ($1)', [{ type: 'room', room, gone: false }]),
    async commit() {
      await client.query('commit')
      await client.end()
    },
  }
}

/** Whether the server has started to read the table of events after `since`, and has finished. */
async function eventsWereRead(since: string): Promise<boolean> {
  const reads = await network.database.rows(
    `select from pg_stat_activity where datname = current_database() and state <> 'active'
        and query_start > $1::timestamptz and position($2 in query) > 0`,
    [since, 'from events'],
  )
  return reads.length > 0
}

async function openStream(client: SignedInClient, lastEventId?: string) {
  const closing = new AbortController()
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const answer = await client.open('events', { headers, signal: closing.signal })
  const events: { id: string; type: string; data: { room?: string } }[] = []
  let text = ''
  let ending: 'ended by the server' | 'broken' | null = null
  void (async () => {
    try {
      for await (const chunk of answer.body ?? []) {
        text += Buffer.from(chunk).toString()
        events.splice(0, events.length, ...parse(text))
      }
      ending = 'ended by the server'
    } catch {
      ending = 'broken'
    }
  })()
  await until('the stream is open', async () => text.includes(': connected'))
  return {
    events,
    text: () => text,
    /** Null while the stream is open. A stream that the test closes counts as broken too. */
    ending: () => ending,
    of: (type: string, room: string) => events.filter((each) => each.type === type && each.data.room === room).length,
    close: () => closing.abort(),
  }
}

function parse(text: string) {
  const blocks = text
    .split('\n\n')
    .slice(0, -1)
    .filter((block) => block.startsWith('id: '))
  return blocks.map((block) => {
    const [, id = '', type = '', data = '{}'] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? []
    return { id, type, data: JSON.parse(data) as { room?: string } }
  })
}
