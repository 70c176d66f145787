/** Exports are streams that last as long as their readers take, without blocking other work. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { bootNetwork, type Network, type SignedInClient, until } from '@roomkeeper/dev-env'
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
const exportedRooms = '/api/operator/export_tenants'

/** Resolves when the head of the answer has arrived. The body is not read. */
async function startExport(path = exportedAudit, by: SignedInClient = network.admin): Promise<IncomingMessage> {
  const sent = request(network.server.address + path, {
    headers: { authorization: `Bearer ${by.token}` },
  }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.on('error', () => undefined)
  return answer
}

it('as many as there may be leave everybody else their answers; one more is refused until one has ended', async () => {
  const other = await network.as('CLOUD_ADMINISTRATOR')
  const unread = await Promise.all(
    [network.admin, network.admin, other, other].map((by) => startExport(exportedAudit, by)),
  )
  expect(unread.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200])
  const refused = await startExport(exportedRooms, await network.as('CLOUD_SALES'))
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
  const other = await network.as('CLOUD_ADMINISTRATOR')
  const unread = await Promise.all([network.admin, network.admin, other, other].map((by) => startUntilTaken(by)))
  const paths = [exportedRooms, '/api/operator/livemigration/export?id=1']
  const answers = await Promise.all(paths.map((path) => startExport(path)))
  expect(answers.map((answer) => answer.statusCode)).toEqual([429, 429])
  for (const answer of [...unread, ...answers]) answer.destroy()
})

it('of one operator are two at a time, with whatever session, token or link, so that others find a place', async () => {
  const role = 'CLOUD_ADMINISTRATOR'
  const { token } = (await network.admin.call('createToken', { body: { name: 'Exports', role } })).body
  const withToken = { ...network.admin, token }
  const link = async () => (await network.admin.call('createAuditTicket', { body: { query: {} } })).body.url
  const unread = [await startUntilTaken(withToken)]
  let unused = ''
  // Those of the former test may not have ended yet.
  await until('a link finds a place', async () => {
    const links = await Promise.all([link(), link()]).catch(() => null)
    if (links === null) return false
    unused = links[1]
    const answer = await startExport(links[0])
    if (answer.statusCode === 200) unread.push(answer)
    return answer.statusCode === 200
  })
  expect(unread.map((answer) => answer.statusCode)).toEqual([200, 200])
  for (const path of [exportedAudit, exportedRooms, unused]) {
    const refused = await startExport(path)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60'])
    expect(JSON.parse((await refused.toArray()).join(''))).toMatchObject({
      type: 'urn:roomkeeper:too-many-own-exports',
      detail: '2 of your exports are still running. Please try again in a minute.',
    })
  }
  const others = await startExport(exportedAudit, await network.as(role))
  expect(others.statusCode).toBe(200)
  for (const answer of [...unread, others]) answer.destroy()
})

/** Repeats while there are too many exports: those of the previous test may not have ended yet. */
async function startUntilTaken(by: SignedInClient): Promise<IncomingMessage> {
  let answer = await startExport(exportedAudit, by)
  while (answer.statusCode === 429) {
    answer.resume()
    answer = await startExport(exportedAudit, by)
  }
  return answer
}
