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

  it('says that it must be read anew when the events after its place are gone', async () => {
    const stream = await openStream(network.admin, '1-1')
    await until('the reset has come', async () => stream.text().includes('event: reset'))
    stream.close()
  })

  it('misses no event of transactions that commit late and out of order', async () => {
    const stream = await openStream(network.admin)
    const ids = Array.from({ length: 40 }, (_, index) => `late${index}`)
    await Promise.all(
      ids.map((id, index) =>
        network.database.rows(
          `with waited as (select pg_sleep($2) as nothing)
           insert into events (payload) select jsonb_build_object('type', 'room', 'room', $1::text, 'gone', false) from waited`,
          [id, (index % 7) * 0.05],
        ),
      ),
    )
    await until('all have come', async () => ids.every((id) => stream.of('room', id) === 1))
    stream.close()
  })

  it('waits for no transaction of another database on the same PostgreSQL', async () => {
    const other = await createNetworkDatabase()
    const client = new pg.Client({ connectionString: other.url })
    await client.connect()
    await client.query('begin; create table kept_open ()')
    const stream = await openStream(network.admin)
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    await until('it has come', async () => stream.of('room', body.tenantName) > 0, 15)
    stream.close()
    await client.end()
    await other.drop()
  })

  it('ends with the session', async () => {
    const client = await network.as('CLOUD_SUPPORT')
    const stream = await openStream(client)
    await client.call('signOut', {})
    await until('the stream has ended', async () => stream.hasEnded(), 40)
  })
})

async function openStream(client: SignedInClient, lastEventId?: string) {
  const closing = new AbortController()
  const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const answer = await client.open('events', { headers, signal: closing.signal })
  const events: { id: string; type: string; data: { room?: string } }[] = []
  let text = ''
  let ended = false
  void (async () => {
    try {
      for await (const chunk of answer.body ?? []) {
        text += Buffer.from(chunk).toString()
        events.splice(0, events.length, ...parse(text))
      }
    } catch {
      // Closed by the test.
    }
    ended = true
  })()
  await until('the stream is open', async () => text.includes(': connected'))
  return {
    events,
    text: () => text,
    hasEnded: () => ended,
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
