/** What the command line does when the server hangs or goes, when two run at once, and when somebody presses Ctrl-C. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { bootNetwork, fastClock, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cli, openCli, type RunningProcess } from './cli-under-test.ts'
import { type Balancer, startBalancer } from './start-balancer.ts'
import { withAnswers } from './with-answers.ts'

let network: Network
let balancer: Balancer
let cli: Cli
/** Takes as long as the command line waits for an answer; the other tests run meanwhile. */
let stalled: RunningProcess

beforeAll(async () => {
  network = await bootNetwork()
  balancer = await startBalancer([network.server.address])
  cli = await openCli({ ROOMKEEPER_URL: balancer.url, ROOMKEEPER_TOKEN: network.admin.token })
  balancer.stallAnswerTo('GET /api/operator/regions')
  stalled = cli.start(['regions', 'list', '-q'])
  await until('it has called', async () => (balancer.connections[0] ?? 0) > 0)
})
afterAll(async () => {
  await cli?.remove()
  await balancer?.close()
  await network?.stop()
})

const call = (line: string, input = '') => cli.call(line.split(' '), { input })
const callAt = (url: string, line: string) => cli.call(line.split(' '), { env: { ROOMKEEPER_URL: url } })
const fieldsOf = (names: readonly string[], more = {}) =>
  JSON.stringify(names.map((tenantName) => ({ ...roomDraft({ tenantName }), region: 'region-1', ...more })))

const draftOf = (tenantName: string) => JSON.stringify(roomDraft({ tenantName }))

test('what somebody else creates while a file is applied becomes what the file says', async () => {
  balancer.before('POST /api/operator/create ', async () => {
    await network.newRoom({ tenantName: 'both1', companyName: 'Other' })
  })
  const input = fieldsOf(['both1'], { companyName: 'Mine', sapNumberLast: '4712' })
  const { code, err } = await call('rooms apply -f - --yes', input)
  expect(code, err).toBe(0)
  expect((await call('rooms get both1 -o json')).out).toContain('"companyName": "Mine"')
})

test('a new room that lacks what it needs is found before anything is done', async () => {
  const tenantName = await network.newRoom({ companyName: 'Sample' })
  const input = `- { tenantName: ${tenantName}, companyName: Other, sapNumberLast: lacking-1 }
---
tenantName: lacking1
product: ARIS
`
  for (const how of ['--dry-run', '--yes']) {
    const refused = await call(`rooms apply -f - ${how}`, input)
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/missing: lacking1 \(edition, .*region.*\)\. Nothing was done/),
    })
    expect(refused.out).toMatch(/0 to create, 1 to change, 0 as the file says, 1 impossible\.\n$/)
  }
  const { body } = await network.admin.call('room', { query: { projectRoom: tenantName } })
  expect(body.companyName).toBe('Sample')
})

test('an empty file is no list without rooms', async () => {
  for (const input of ['', '# nothing\n', '---\n'])
    expect(await call('rooms apply -f - --yes', input)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is empty'),
    })
  expect((await call('rooms apply -f - --yes', '[]')).code).toBe(0)
})

test('a file that two apply at once is true for both, and each room is created once', async () => {
  await network.newRoom({ tenantName: 'twice1', companyName: 'Other' })
  const rooms = ['twice1', 'twice2', 'twice3'].map((tenantName) => ({
    ...roomDraft({ tenantName, companyName: 'Mine' }),
    region: 'region-1',
    sapNumberLast: `new-${tenantName}`,
  }))
  const input = JSON.stringify(rooms)
  const both = await Promise.all([1, 2].map(() => call('rooms apply -f - --yes -o json', input)))
  for (const { code, out, err } of both) {
    expect(code, err).toBe(0)
    expect((JSON.parse(out) as { state: string }[]).map(({ state }) => state)).toEqual(['done', 'done', 'done'])
  }
  const again = await call('rooms apply -f - --dry-run', input)
  expect(again).toMatchObject({ code: 0, out: '0 to create, 0 to change, 3 as the file says.\n' })
  const created = await network.database.rows(
    `select 1 from operations where kind = 'room.create' and state = 'done' and room_name like 'twice%'`,
  )
  expect(created).toHaveLength(3)
})

test('a busy room is waited for, and changed once it is free', async () => {
  await network.newRoom({ tenantName: 'busy1' })
  await network.planFault('room.suspend:suspend-room:after:hold')
  const body = { roomName: 'busy1', userNotification: false }
  // It is refused in the end, because it is cancelled.
  const suspending = network.admin.call('suspendRoom', { body }).catch(() => undefined)
  await until('the operation is held', () => network.faultHappened())
  const [held] = await network.database.rows<{ id: string }>(
    `select id from operations where room_name = 'busy1' and ended_at is null`,
  )
  let waits = 0
  // It asks whether what runs for the room has ended.
  balancer.before(`GET /api/operator/operations/finished?ids=${held?.id}`, async () => {
    waits += 1
    await network.admin.call('cancelOperation', { params: { id: held?.id ?? '' } })
  })
  const input = JSON.stringify({ tenantName: 'busy1', companyName: 'Mine', sapNumberLast: 'busy-1' })
  expect(await call('rooms apply -f - --yes -q', input)).toMatchObject({ code: 0, err: '' })
  expect(waits).toBe(1)
  await suspending
  const { body: changed } = await network.admin.call('room', { query: { projectRoom: 'busy1' } })
  expect(changed).toMatchObject({ companyName: 'Mine', projectRoomState: 'DEFAULT' })
})

test('an outage while a file is applied leaves a result for each room', async () => {
  const text = 'HTTP/1.1 307 Elsewhere\r\nlocation: https://elsewhere.example/\r\nconnection: close\r\n\r\n'
  balancer.answer({ request: 'POST /api/operator/create ', text })
  const names = ['out1', 'out2', 'out3', 'out4', 'out5']
  const { code, out, err } = await call('rooms apply -f - --yes -o json', fieldsOf(names))
  balancer.answer(null)
  const states = (JSON.parse(out) as { state: string }[]).map(({ state }) => state)
  expect(states).toEqual(['failed', 'failed', 'failed', 'failed', 'not-begun'])
  expect(code).toBe(3)
  expect(err).toContain('out1: ')
})

test('a token that may not change rooms is refused before the whole file has been tried', async () => {
  const { token } = await network.as('CLOUD_SUPPORT')
  const { code, out } = await cli.call(['rooms', 'apply', '-f', '-', '--yes', '-o', 'json'], {
    input: fieldsOf(['may1', 'may2', 'may3', 'may4', 'may5', 'may6']),
    env: { ROOMKEEPER_TOKEN: token },
  })
  const states = (JSON.parse(out) as { state: string }[]).map(({ state }) => state)
  expect(states.slice(4)).toEqual(['not-begun', 'not-begun'])
  expect(states.slice(0, 4)).not.toContain('done')
  expect(code).toBe(1)
})

test('Ctrl-C while a file is applied leaves a result for each room', async () => {
  await network.planFault('room.create:check-room:after:hold')
  const applying = cli.start(['rooms', 'apply', '-f', '-', '--yes', '-o', 'json'], { input: fieldsOf(['held1']) })
  await until('the operation is held', () => network.faultHappened())
  applying.child.kill('SIGINT')
  const { code, out } = await applying.ended
  const [result] = JSON.parse(out) as { operationId: string }[]
  expect(result).toMatchObject({
    projectRoomName: 'held1',
    state: 'failed',
    error: expect.stringMatching(/The operation goes on/),
  })
  expect(code).toBe(130)
  expect(await call(`operations cancel ${result?.operationId} --wait`)).toMatchObject({ code: 0 })
  const logs = await call(`operations logs -f ${result?.operationId}`)
  expect(logs).toMatchObject({ code: 4, err: expect.stringContaining('was cancelled') })
})

test.each([
  ['A time limit', 124],
  ['Ctrl-C', 130],
] as const)('%s ends the waiting also while the server hangs', async (by, exitCode) => {
  await network.planFault('room.create:check-room:after:hold')
  const more = by === 'A time limit' ? ['--timeout', '6s'] : ['--wait']
  const waiting = cli.begin(['api', 'createRoom', '--input', '-', ...more], { input: draftOf(`hung${exitCode}`) })
  await until('the operation is held', () => network.faultHappened())
  await waiting.untilSaid('createRoom: ')
  balancer.beSilent(true)
  if (by === 'Ctrl-C') waiting.interrupt()
  const { code, err } = await waiting.ended
  balancer.beSilent(false)
  expect({ code, err }).toMatchObject({ code: exitCode, err: expect.stringContaining('The operation goes on.') })
  const [, id = ''] = /operations cancel ([0-9a-f-]{36})/.exec(err) ?? []
  expect((await call(`operations cancel ${id} --wait`)).code).toBe(0)
})

test('a bulk that failed says which rooms to look at, and so does its retry', async () => {
  await network.newRoom({ tenantName: 'failing1' })
  const failing = async (line: string) => {
    await network.planFault('room.suspend:suspend-room:before:fail')
    const { code, err } = await call(line)
    expect({ code, err }).toMatchObject({ code: 4, err: expect.stringContaining('failed for 1 of 1 project room.') })
    expect(err).not.toContain('operations retry')
    return /roomkeeper bulk retry ([0-9a-f-]{36})/.exec(err)?.[1] ?? ''
  }
  const id = await failing('bulk start suspend failing1 --yes --wait')
  expect(await failing(`bulk retry ${id} --wait`)).toBe(id)
  expect((await call(`bulk retry ${id} --wait -q`)).err).toBe('')
})

test('a download that is stopped leaves nothing behind; one that is whole is for its user alone', async () => {
  const streaming = createServer((_, response) => response.write('a')).listen(0, '127.0.0.1')
  await once(streaming, 'listening')
  const env = { ROOMKEEPER_URL: `http://127.0.0.1:${(streaming.address() as AddressInfo).port}` }
  const stopped = cli.begin(['rooms', 'export', '--to', join(cli.dir, 'stopped.csv')], { env })
  const files = async () => (await readdir(cli.dir)).filter((name) => name.startsWith('stopped.csv'))
  await until('it writes', async () => (await files()).length > 0)
  stopped.interrupt()
  expect((await stopped.ended).code).toBe(130)
  expect(await files()).toEqual([])

  const list = cli.start(['rooms', 'export', '-o', 'json'], { env })
  await until('it has begun', async () => list.out().length > 0)
  list.child.kill('SIGINT')
  const { code, err } = await list.ended
  expect(code).toBe(130)
  expect(JSON.parse(err)).toMatchObject({ error: { kind: 'interrupted', exitCode: 130 } })
  streaming.closeAllConnections()
  streaming.close()

  await call(`rooms export --to ${join(cli.dir, 'whole.csv')}`)
  expect((await stat(join(cli.dir, 'whole.csv'))).mode & 0o777).toBe(0o600)
})

test.each([
  ['is no server of ours', '{}'],
  ['is no JSON', 'Welcome!'],
])('what answers %s counts as one that cannot be reached', async (_, text) => {
  const gone = await withAnswers([{ status: 200, text }], (url) => callAt(url, 'rooms list -o json'))
  expect(gone).toMatchObject({ code: 3, out: '', err: expect.stringContaining('is no Roomkeeper server') })
})

test('a server that is busy is asked again when it says so, and not when that is too late', async () => {
  const text = await (await network.admin.open('regions', {})).text()
  const times: number[] = []
  const onCall = () => times.push(Date.now())
  const busy = { status: 429, text: '{}' }
  const soon = [
    { ...busy, headers: { 'retry-after': '1' } },
    { status: 200, text },
  ]
  const waited = await withAnswers(soon, (url) => callAt(url, 'regions list -q'), onCall)
  expect(waited).toMatchObject({ code: 0, out: 'region-1\n' })
  // A timer may come a little early.
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990)

  const inAMinute = [{ ...busy, headers: { 'retry-after': '60' } }]
  await withAnswers(inAMinute, async (url) => {
    const waiting = cli.start(['regions', 'list'], { env: { ROOMKEEPER_URL: url } })
    await waiting.untilSaid('trying again in 60 s')
    waiting.child.kill('SIGINT')
    expect((await waiting.ended).code).toBe(130)
  })

  times.length = 0
  const late = [{ ...busy, headers: { 'retry-after': '3600' } }]
  const refused = await withAnswers(late, (url) => callAt(url, 'regions list'), onCall)
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('429') })
  expect(times).toHaveLength(1)
})

test('an answer that stops in the middle is asked for again', async () => {
  expect(await stalled.ended).toMatchObject({ code: 0, out: 'region-1\n' })
})

const twoHundredTimesFaster = fastClock(200)

test.runIf(twoHundredTimesFaster !== null)('an upload may be answered after more than five minutes', async () => {
  let form = ''
  let length = Number.NaN
  const receiver = createServer(async (request, response) => {
    form = (await buffer(request)).toString('latin1')
    length = Number(request.headers['content-length'])
    setTimeout(() => response.writeHead(404).end(), 5000)
  }).listen(0, '127.0.0.1')
  await writeFile(join(cli.dir, 'a"b.zip'), randomBytes(1_000_000))
  const env = { ...twoHundredTimesFaster, ROOMKEEPER_URL: await addressOf(receiver) }
  const { err } = await cli.start(['rooms', 'restore', 'any', '--file', 'a"b.zip', '--yes'], { env }).ended
  receiver.close()
  expect(err).toContain('The server answered 404 Not Found.')
  expect(form).toHaveLength(length)
  expect(form).toContain('name="file"; filename="a%22b.zip"')
})

test('a download goes where its name leads: through links, and into pipes and devices, which stay', async () => {
  const at = (name: string) => join(cli.dir, name)
  const { out: list } = await call('rooms export')
  await writeFile(at('target.csv'), 'earlier')
  await symlink('target.csv', at('link.csv'))
  await symlink('new.csv', at('dangling.csv'))
  for (const [link, target] of Object.entries({ link: 'target.csv', dangling: 'new.csv' })) {
    expect(await call(`rooms export --to ${at(link)}.csv`)).toMatchObject({ code: 0 })
    expect((await lstat(at(`${link}.csv`))).isSymbolicLink(), link).toBe(true)
    expect(await readFile(at(target), 'utf8'), link).toBe(list)
  }

  execFileSync('mkfifo', [at('pipe')])
  const [piped, read] = await Promise.all([call(`rooms export --to ${at('pipe')}`), readFile(at('pipe'), 'utf8')])
  expect({ ...piped, read }).toMatchObject({ code: 0, read: list })
  expect((await lstat(at('pipe'))).isFIFO()).toBe(true)

  // Needs to be root: the numbers of /dev/null.
  if (spawnSync('mknod', [at('device'), 'c', '1', '3']).status === 0) {
    expect(await call(`rooms export --to ${at('device')}`)).toMatchObject({ code: 0 })
    expect((await lstat(at('device'))).isCharacterDevice()).toBe(true)
  }

  await mkdir(at('folder'))
  for (const folder of ['folder', 'nowhere/'])
    expect(await call(`rooms export --to ${at(folder)}`)).toMatchObject({ code: 2, err: /name a file, not a folder/ })
  expect((await readdir(cli.dir)).filter((name) => name.includes('.part-'))).toEqual([])
})

test('Ctrl-C ends the wait for somebody who reads a pipe', async () => {
  execFileSync('mkfifo', [join(cli.dir, 'unread')])
  const waiting = cli.begin(['rooms', 'export', '--to', join(cli.dir, 'unread')])
  await waiting.untilSaid('Waiting for somebody')
  waiting.interrupt()
  expect(await waiting.ended).toMatchObject({ code: 130, err: /Stopped before everything had arrived/ })
})

async function addressOf(server: Server): Promise<string> {
  if (!server.listening) await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
