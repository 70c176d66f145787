/**
 * Clients that never read the answer cannot hold a connection forever; slow readers get all of it. Most tests run at
 * the same time, because they only wait.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bootNetwork, type Network, openSlowReader, operatorDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** More than fits into the kernel buffers of both ends together. */
const content = Buffer.alloc(32 * 1024 * 1024, 'a file of a backup ')
const digest = createHash('sha256').update(content)
const sha256 = digest.copy().digest('hex')
let network: Network
beforeAll(async () => {
  network = await bootNetwork({
    regions: [{ env: { REGION_ANSWER_TIMEOUT_SECONDS: '1' } }],
    // So many requests at once keep the process busy for longer than the short lease of tests.
    env: { ANSWER_TIMEOUT_SECONDS: '1', WORKER_LEASE_SECONDS: '30' },
  })
})
afterAll(() => network?.stop())

const get = (path: string, token: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`
const many = (path: string, times: number, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`.repeat(times)

describe.concurrent.each([
  {
    name: 'the console',
    address: () => network.server.address,
    download: async () => get(await keptBackup(), network.admin.token),
    answers: many('/api/openapi.json', 1_000),
  },
  {
    name: 'a region',
    address: () => network.regions[0]?.url ?? '',
    download: async () => get(await keptFile(), await regionToken()),
    answers: many('/somewhere', 30_000),
  },
])('$name', ({ address, download, answers }) => {
  it.each([
    ['a large file', download],
    ['very many small things in one go, without having signed in', async () => answers],
    ['very many things at addresses that cannot be read', async () => many('/%zz', 30_000)],
    ['very many things and expects what nobody promises', async () => many('/x', 60_000, 'Expect: gold\r\n')],
  ])('leaves a client that asks for %s and takes nothing', async (_, question) => {
    const reader = await openSlowReader(address())
    reader.send(await question())
    await until('the connection is ended', async () => !(await reader.isServed()))
    reader.close()
  })

  // When the others have ended: they keep the process so busy that a slow reader would seem to stand still.
  it('sends everything to somebody who is slow but goes on, for longer than silence may last', {
    concurrent: false,
  }, async () => {
    const reader = await openSlowReader(address())
    reader.send(await download())
    expect(await reader.readInParts(1024 * 1024, 150)).toBeGreaterThan(content.length)
  })
})

it.concurrent('a region leaves a client that takes nothing, but sends something now and then', async () => {
  const reader = await openSlowReader(network.regions[0]?.url ?? '')
  reader.send(get(await keptFile(), await regionToken()))
  const stirring = setInterval(() => reader.send('\r\n'), 200)
  await until('the connection is ended', async () => !(await reader.isServed()))
  clearInterval(stirring)
  reader.close()
})

it.concurrent('an answer that takes its time is waited for, and a stream of events stays open', async () => {
  const stream = new AbortController()
  const { body } = await fetch(`${network.server.address}/api/operator/events`, {
    headers: { authorization: `Bearer ${network.admin.token}` },
    signal: stream.signal,
  })
  let received = ''
  const reading = (async () => {
    for await (const chunk of body ?? []) received += Buffer.from(chunk)
  })().catch(() => undefined)
  // Sleeps longer than an answer may wait for its reader.
  await network.database.rows('select pg_sleep(3)')
  await network.database.rows(`insert into events (payload) values ('{"type": "maintenance"}')`)
  await until('the event arrives', async () => received.includes('maintenance'))
  stream.abort()
  await reading
})

it.concurrent('a transfer ends with the account of its caller', async () => {
  const draft = { ...operatorDraft('CLOUD_OPERATOR'), email: 'leaving@example.com' }
  const { body: account } = await network.admin.call('createOperator', { body: draft })
  const { token } = await network.newSession(draft)
  const reader = await openSlowReader(network.server.address)
  reader.send(get(await keptBackup(), token))
  const sender = await openSlowReader(network.server.address)
  const type = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000000'
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
  sender.send(
    `POST /api/operator/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${type}\r\n\r\n${part}PK`,
  )
  const sending = setInterval(() => sender.send('more'), 200)
  await network.admin.call('deleteOperator', { params: { id: account.id } })
  expect(await reader.readInParts(256 * 1024, 200)).toBeLessThan(content.length)
  await until('the upload is ended', async () => !(await sender.isServed()))
  clearInterval(sending)
})

/** @returns the path to download the backup */
async function keptBackup(): Promise<string> {
  const room = await network.newRoom()
  const id = randomUUID()
  const path = join(network.dir, 'server', 'backups', `${id}.zip`)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  await network.database.rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at, read_back_at)
     select $1, id, name, 'classic', $2, $3, $4, now(), now() from rooms where name = $5`,
    [id, `${id}.zip`, content.length, sha256, room],
  )
  return `/api/operator/room/backups/${id}/content`
}

/** @returns the path of the file */
async function keptFile(): Promise<string> {
  const path = `/region/v1/files/${randomUUID()}`
  const answer = await fetch(`${network.regions[0]?.url}${path}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${await regionToken()}`,
      'content-type': 'application/octet-stream',
      digest: `sha-256=${digest.copy().digest('base64')}`,
    },
    body: content,
  })
  expect(answer.ok).toBe(true)
  return path
}

async function regionToken(): Promise<string> {
  const region = network.regions[0]
  const answer = await fetch(`${region?.url}/region/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: region?.userName, password: region?.password }),
  })
  return ((await answer.json()) as { token: string }).token
}
