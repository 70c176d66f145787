/** Exports are streams that last as long as their readers take, without blocking other work. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2 })
  // More data than fits into all buffers between the database and a reader.
  await network.database.rows(
    `insert into audit (actor, action, detail) select 'somebody', 'test', repeat('x', 20000) from generate_series(1, 2000)`,
  )
})
afterAll(() => network?.stop())

const exportedAudit = '/api/operator/audit/export'

/** Resolves when the head of the answer has arrived. The body is not read. */
async function startExport(path = exportedAudit): Promise<IncomingMessage> {
  const sent = request(network.server.address + path, {
    headers: { authorization: `Bearer ${network.admin.token}` },
  }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  return answer
}

it('as many as there may be leave everybody else their answers; one more is refused until one has ended', async () => {
  const unread = await Promise.all(Array.from({ length: 4 }, () => startExport()))
  expect(unread.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
  const refused = await startExport()
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('60')
  expect(JSON.parse((await refused.toArray()).join(''))).toMatchObject({
    type: 'urn:roomkeeper:too-many-exports',
    detail: 'Too many exports are running. Please try again in a minute.',
  })
  expect((await fetch(`${network.server.address}/readyz`)).status).toBe(200)
  await Promise.all(Array.from({ length: 20 }, () => network.admin.call('listRooms', {})))

  unread[0]?.destroy()
  await until('there is a place again', async () => {
    const next = await startExport()
    next.destroy()
    return next.statusCode === 200
  })
  for (const answer of unread) answer.destroy()
})

it('of rooms and of logs count with them', async () => {
  await network.database.rows('insert into live_migrations (id, source_region_id, target_region_id) values (1, 1, 2)')
  const unread = await Promise.all(Array.from({ length: 4 }, () => startUntilTaken()))
  const paths = ['/api/operator/export_tenants', '/api/operator/livemigration/export?id=1']
  const answers = await Promise.all(paths.map((path) => startExport(path)))
  expect(answers.map((answer) => answer.statusCode)).toEqual([429, 429])
  for (const answer of [...unread, ...answers]) answer.destroy()
})

/** Repeats while there are too many exports: those of the previous test may not have ended yet. */
async function startUntilTaken(): Promise<IncomingMessage> {
  let answer = await startExport()
  while (answer.statusCode === 429) {
    answer.resume()
    answer = await startExport()
  }
  return answer
}
