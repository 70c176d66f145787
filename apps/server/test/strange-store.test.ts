/** Answers that do not come from S3, such as those of a proxy in front of an object store. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createObjectStore, digestOfBackup } from '#backups/index.ts'
import { createFileStore } from '#platform/file-store/create-file-store.ts'
import { asObjectStoreRefusal } from '#platform/object-store.ts'
import { Secret } from '#platform/secrets.ts'
import { findingsAbout, repair, runDoctor } from './doctor/run-doctor.ts'
import { type LyingStore, startLyingStore } from './lying-store.ts'

let store: LyingStore
let network: Network
beforeAll(async () => {
  store = await startLyingStore()
  store.sends = 'what was put'
  network = await bootNetwork({
    regions: 1,
    env: {
      BACKUP_STORE: 's3://bucket/console',
      OBJECT_STORE_URI: 's3://bucket/backups',
      OBJECT_STORE_ENDPOINT: store.endpoint,
      OBJECT_STORE_ACCESS_KEY: 'access',
      OBJECT_STORE_SECRET_KEY: 'secret',
    },
  })
})
afterEach(() => {
  store.sends = 'what was put'
})
afterAll(async () => {
  await network?.stop()
  await store?.stop()
})

/** A page such as nginx itself generates. */
const page = (title: string) =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`
const cutOff = 'HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 0-99/100\r\ncontent-length: 100\r\n\r\nPK'
const unreachable = 'object-store-unreachable'
const refused = 'object-store-refused'
const answers: [string, LyingStore['sends'], string, RegExp][] = [
  ["a proxy's page that it is away", { status: 502, body: page('502 Bad Gateway') }, unreachable, /it answered 502/],
  ["a proxy's words that it is away", { status: 503, body: 'no healthy upstream' }, unreachable, /it answered 503/],
  ['JSON', { status: 503, body: '{"error":"away"}' }, unreachable, /it answered 503/],
  ['XML of any depth', { status: 503, body: '<a>'.repeat(21_000) }, unreachable, /it answered 503/],
  ["a proxy's page of what it forbids", { status: 403, body: page('403 Forbidden') }, refused, /it answered 403/],
  ['a code that is none', { status: 400, body: '<Error><Code><x>1</x></Code></Error>' }, refused, /it answered 400/],
  ['two codes', { status: 400, body: '<Error><Code>A</Code><Code>B</Code></Error>' }, refused, /it answered 400/],
  ['the code toString', { code: 'toString' }, refused, /it answered 400 toString\./],
  ['the code constructor', { code: 'constructor' }, refused, /it answered 400 constructor\./],
  ['no HTTP', { words: 'good morning\r\n\r\n' }, unreachable, /HPE_INVALID_CONSTANT/],
  ['nothing', { words: '' }, unreachable, /it cannot be reached/],
  ['less than it announced', { words: cutOff }, unreachable, /it cannot be reached/],
]

it.each(answers)('%s is told in words when somebody looks into a backup', async (_, sends, code, words) => {
  store.sends = sends
  const answer = await inspect()
  expect(await answer.json()).toMatchObject({ type: `urn:roomkeeper:${code}`, detail: expect.stringMatching(words) })
})

// At the same time, each with a store of its own, because a call that may succeed later is repeated after a pause.
it.concurrent.each(answers)(
  '%s is told in words whatever the console asks of its own store',
  async (_, sends, code) => {
    const own = await startLyingStore()
    own.sends = sends
    const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access: accessTo(own) })
    const says = { code, message: expect.stringMatching(/^The backup store: .+\.$/) }
    await expect(files.put('x', once('x'))).rejects.toMatchObject(says)
    await expect(files.open('x').then((content) => content.toArray())).rejects.toMatchObject(says)
    await expect(Readable.from(files.list('x')).toArray()).rejects.toMatchObject(says)
    await expect(files.removeUnfinished('x', new Date())).rejects.toMatchObject(says)
    await own.stop()
  },
)

it.each<[string, Record<string, string>, { size: number; etag: string }]>([
  ['nothing of it', {}, { size: 0, etag: '"x"' }],
  ['less of it', { etag: '"x"' }, { size: 0, etag: '"x"' }],
  ['what was there before', { etag: '"x"' }, { size: 1, etag: '"former"' }],
])('a file is kept only when its store has it: one that says it keeps a file and has %s', async (_, headers, has) => {
  store.sends = { status: 200, body: '', headers }
  store.size = has.size
  store.heads = { etag: has.etag }
  const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access: accessTo(store) })
  await expect(files.put('x', once('x'))).rejects.toMatchObject({
    code: unreachable,
    message: 'The backup store: it says that it has kept a file, and does not have it.',
  })
  store.heads = {}
})

describe("a proxy's page that all is well", () => {
  const says = { code: unreachable, message: 'The backup store: it answered 200, but not as an object store does.' }

  it.each<[string, { body: string; headers?: Record<string, string> }]>([
    ['with nothing else', { body: page('Welcome') }],
    [
      'of XML',
      { body: '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><body>Welcome</body></html>' },
    ],
    ['of a kind', { body: '<welcome/>', headers: { 'content-type': 'text/html; charset=utf-8' } }],
  ])('%s, is no answer to whatever the console asks of its own store', async (_, answer) => {
    store.sends = { ...answer, status: 200, toAll: true }
    const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access: accessTo(store) })
    await expect(files.put('x', once('x'))).rejects.toMatchObject(says)
    await expect(files.put('x', once('x'.repeat(33 * 2 ** 20)))).rejects.toMatchObject(says)
    await expect(files.remove('x')).rejects.toMatchObject(says)
    await expect(Readable.from(files.list('x')).toArray()).rejects.toMatchObject(says)
    await expect(files.removeUnfinished('x', new Date())).rejects.toMatchObject(says)
  })

  it.each(['classic', 'd2o'] as const)('leaves the record of a %s backup that was to be deleted', async (kind) => {
    const room = await network.newRoom()
    await recordBackup(room, kind)
    const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: room } })).body
    const remove = () => network.admin.call('deleteRoomBackup', { params: { id: backup?.id ?? '' } })
    store.sends = { status: 200, body: page('Welcome'), toAll: true }
    const refusal = await remove().catch((error: unknown) => error)
    expect(refusal).toMatchObject({ problem: { status: 503, detail: expect.stringContaining('it answered 200, but') } })
    expect((await network.admin.call('roomBackups', { query: { projectRoom: room } })).body).toHaveLength(1)
    store.sends = 'what was put'
    expect((await remove()).status).toBe(204)
  })
})

it.each([
  ['nothing', ''],
  ['blanks', ' \n'],
])('a list of %s is none', async (_, body) => {
  store.sends = { status: 200, body }
  const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access: accessTo(store) })
  await expect(Readable.from(files.list('x')).toArray()).rejects.toMatchObject({ code: unreachable })
})

it('a store may call its empty confirmations a page', async () => {
  store.sends = { status: 200, body: '', headers: { 'content-type': 'text/html', etag: '"x"' } }
  store.size = 1
  store.heads = { etag: '"x"' }
  const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access: accessTo(store) })
  expect(await files.put('x', once('x'))).toMatchObject({ size: 1 })
  await files.remove('x')
  store.heads = {}
})

it.each<[string, LyingStore['sends'], Record<string, string>]>([
  ['a time that is none', 'what was put', { 'last-modified': 'yesterday' }],
  ['no HTTP', { words: 'good morning\r\n\r\n' }, {}],
  ["a proxy's page instead of the content", { status: 502, body: page('502 Bad Gateway') }, {}],
])('the doctor tells a store that answers with %s as one that cannot be reached, and ends', async (_, sends, heads) => {
  const room = await network.newRoom()
  await recordBackup(room)
  store.size = 1000
  store.heads = heads
  store.sends = sends === 'what was put' ? { status: 200, body: '' } : sends
  expect((await runDoctor(network)).map(({ kind }) => kind)).toContain('store-unreachable')
})

describe.each<[string, string]>([
  ['the page of a proxy', page('404 Not Found')],
  ['nothing', ''],
  ['that there is no such bucket', '<Error><Code>NoSuchBucket</Code></Error>'],
])('a store that says 404 and %s to whatever is asked', (_, body) => {
  const nowhere = { status: 404, body, toAll: true } as const

  it.each(['classic', 'd2o'] as const)('says of no %s backup that it is gone', async (kind) => {
    const room = await network.newRoom()
    await recordBackup(room, kind)
    const [missing] = await findingsAbout(network, room)
    expect(missing?.kind).toBe('backup-missing')
    store.sends = nowhere
    const findings = await runDoctor(network)
    expect(findings.map(({ kind: each }) => each)).toContain('store-unreachable')
    expect(missing && (await repair(network, missing, 'mark-missing'))).toMatchObject({ state: 'failed' })
    expect((await network.admin.call('roomBackups', { query: { projectRoom: room } })).body).toHaveLength(1)
    store.sends = 'what was put'
    expect(missing && (await repair(network, missing, 'mark-missing'))).toMatchObject({ state: 'done' })
  })

  it('is trouble to whatever reads files', async () => {
    store.sends = nowhere
    const access = accessTo(store)
    const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access })
    const stores = { files, objectStore: createObjectStore({ access, location: { bucket: 'bucket', prefix: '' } }) }
    await expect(files.stat('x')).rejects.toMatchObject({ code: refused })
    await expect(files.open('x')).rejects.toMatchObject({ code: refused })
    await expect(files.remove('x')).rejects.toMatchObject({ code: refused })
    const never = new AbortController().signal
    const file = { kind: 'd2o', location: 's3://bucket/x.zip', size: 1000 } as const
    await expect(digestOfBackup(stores, file, never)).rejects.toMatchObject({ code: refused })
    const says = body.includes('Bucket')
      ? 'there is no such bucket.'
      : 'it answered 404, but not as an object store does.'
    await expect(files.open('x')).rejects.toMatchObject({ message: `The backup store: ${says}` })
  })
})

it('a store may say of a file that is removed that there is none', async () => {
  store.sends = { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>', toAll: true }
  const room = await network.newRoom()
  await recordBackup(room)
  const [backup] = (await network.admin.call('roomBackups', { query: { projectRoom: room } })).body
  await network.admin.call('deleteRoomBackup', { params: { id: backup?.id ?? '' } })
  const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access: accessTo(store) })
  await files.remove('x')
})

it('a backup that meets the page of a proxy is tried again until the store is there', async () => {
  const room = await network.newRoom()
  await network.admin.call('suspendRoom', { body: { roomName: room } })
  await network.settle()
  store.sends = { status: 502, body: page('502 Bad Gateway') }
  const { body } = await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
  await until('it met the page', async () => {
    const told = await network.database.rows<{ text: string }>(
      'select text from operation_log where operation_id = $1',
      [body.operationId],
    )
    return told.some(({ text }) => /it answered 502|on our side/.test(text))
  })
  store.sends = 'what was put'
  await network.settle()
  const ended = await network.database.rows('select state, error from operations where id = $1', [body.operationId])
  expect(ended).toEqual([{ state: 'done', error: null }])
})

it('keys that no call can carry are refused at once', async () => {
  const access = { ...accessTo(store), accessKey: 'access\n' }
  const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access })
  const says = { code: refused, message: 'The backup store: it cannot be asked (ERR_INVALID_CHAR).' }
  await expect(files.put('x', once('x'))).rejects.toMatchObject(says)
  await expect(files.open('x')).rejects.toMatchObject(says)
  await expect(files.stat('x')).rejects.toMatchObject(says)
})

it('a file of a known size is put in parts of which there are not too many, however large it is', async () => {
  const files = createFileStore({ kind: 'bucket', bucket: 'bucket', prefix: '', access: accessTo(store) })
  store.calls.length = 0
  // The content is sent whole, because each part of a file of 400 GiB would be larger than this.
  const kept = await files.put('large', once('x'.repeat(33 * 2 ** 20)), { size: 400 * 2 ** 30 })
  expect(kept.size).toBe(33 * 2 ** 20)
  const calls = store.calls.filter(({ path }) => path.startsWith('/bucket/large'))
  expect(calls.map(({ method }) => method)).toEqual(['PUT', 'HEAD'])
})

it('a file of more parts than a store takes is refused for good, in words', () => {
  const error = new Error('Exceeded 10000 parts in multipart upload to Bucket: bucket Key: x.')
  expect(asObjectStoreRefusal(error, 'of-backup-store')).toMatchObject({
    code: refused,
    message: expect.stringContaining('Exceeded 10000 parts'),
  })
})

/** Inspects an object as an operator would. */
function inspect(): Promise<Response> {
  return fetch(`${network.server.address}/api/operator/createrestored2o/inspect`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      isD2O: true,
      backupLocationPath: 's3://bucket/backups/room.zip',
      projectRoomName: 'acme',
      region: 'us-east-1',
    }),
  })
}

function accessTo({ endpoint }: LyingStore) {
  return { endpoint, region: 'us-east-1', accessKey: 'access', secretKey: new Secret('secret') }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function recordBackup(room: string, kind: 'classic' | 'd2o' = 'd2o'): Promise<void> {
  const location = kind === 'd2o' ? 's3://bucket/backups/x.zip' : 'rooms/x.zip'
  await network.database.rows(
    `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at, read_back_at)
     select $1, id, name, $3, $4, 1000, repeat('0', 64), now(), now() from rooms
      where name = $2`,
    [randomUUID(), room, kind, location],
  )
}
