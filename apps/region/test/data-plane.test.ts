import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { askWithoutBody } from '@roomkeeper/dev-env'
import { regionBasePath, regionRoutes } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentsOf } from './documents.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

/** The answers of the console's public calls during maintenance. */
const consoleAnswers: Record<string, unknown> = {
  '/api/maintenanceMode': { maintenanceMode: true, maintenanceMessage: 'Back at <b>noon</b>' },
  '/api/customer/notifications': [
    { notificationId: 1, message: '<p>New <em>release</em></p>', displayPopup: false, deactivate: false },
    { notificationId: 2, message: '<p>Switched off</p>', displayPopup: true, deactivate: true },
  ],
  '/api/customer/configuration': { youtubeIdentifier: 'abc"123' },
}

let fakeConsole: Server
let region: RegionProcess
beforeAll(async () => {
  fakeConsole = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(consoleAnswers[request.url ?? ''] ?? null))
  })
  await new Promise<void>((resolve) => fakeConsole.listen(0, '127.0.0.1', resolve))
  const { port } = fakeConsole.address() as AddressInfo
  region = await startRegion({ REGION_CONSOLE_URL: `http://127.0.0.1:${port}` })
})
afterAll(async () => {
  await region.remove()
  fakeConsole.close()
})

let count = 0
async function newRoom(change = {}) {
  count += 1
  const name = `room${count}`
  const creation = newCreation(change)
  await region.client.createRoom(name, creation)
  const { token } = await region.client.openSession(name, 'owner@example.org')
  return { name, roomId: creation.roomId, token, documents: documentsOf(region.url, name, token) }
}

// shows: data-documents
test('documents are written, read, replaced and deleted', async () => {
  const { documents, name } = await newRoom()
  expect((await documents.get('a/b ä')).status).toBe(404)
  expect((await documents.put('a/b ä', { text: 'one' })).status).toBe(200)
  expect((await documents.put('a/b ä', [2, null, 'two'])).status).toBe(200)
  expect(await (await documents.get('a/b ä')).json()).toEqual([2, null, 'two'])
  expect((await documents.remove('a/b ä')).status).toBe(204)
  expect((await documents.remove('a/b ä')).status).toBe(204)
  expect((await documents.get('a/b ä')).status).toBe(404)
  const [main] = await region.client.databases(name)
  expect(Date.parse(main?.changedAt ?? '')).toBeGreaterThan(Date.parse(main?.createdAt ?? ''))
})

test('a document that is nested without end is refused, and what was there stays', async () => {
  const { name, token, documents } = await newRoom()
  await documents.put('deep', 'as it was')
  const answer = await fetch(`${region.url}/rooms/${name}/databases/main/documents/deep`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '['.repeat(500_000) + ']'.repeat(500_000),
  })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ type: 'urn:roomkeeper-region:malformed' })
  expect(await (await documents.get('deep')).json()).toBe('as it was')
})

// shows: data-session
test('a request without a session of the room is refused', async () => {
  const one = await newRoom()
  const other = await newRoom()
  for (const token of ['', 'x', other.token])
    expect((await documentsOf(region.url, one.name, token).get('a')).status).toBe(401)
  const [session] = await region.client.sessions(one.name)
  await region.client.endSession(one.name, session?.id ?? '')
  expect((await one.documents.get('a')).status).toBe(401)
})

test('nothing of a body is read before it is known who sends it, and whether it may be written', async () => {
  const one = await newRoom()
  const moved = await newRoom()
  const locked = await newRoom()
  await region.client.lockRoom(locked.name, { roomId: locked.roomId, holder: 'x' })
  await region.client.putRoute(moved.name, 'https://elsewhere.example')
  const ask = (room: string, token: string | null, method = 'PUT') =>
    askWithoutBody(`${region.url}/rooms/${room}/databases/main/documents/a`, method, {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    })
  for (const method of ['PUT', 'DELETE']) {
    expect(await ask(one.name, null, method)).toBe(401)
    expect(await ask(one.name, locked.token, method)).toBe(401)
    expect(await ask(locked.name, locked.token, method)).toBe(423)
    expect(await ask('nowhere', one.token, method)).toBe(404)
    expect(await ask('..', one.token, method)).toBe(404)
    expect(await ask(moved.name, moved.token, method)).toBe(307)
  }
  expect(await askWithoutBody(`${region.url}/nothing/at/all`, 'POST')).toBe(404)
  const guarded = Object.values(regionRoutes).filter((route) => !('public' in route && route.public))
  expect(guarded.length).toBeGreaterThan(10)
  for (const { method, path } of guarded)
    expect(await askWithoutBody(region.url + regionBasePath + path.replace(/:\w+/g, 'x'), method)).toBe(401)
})

test('a session that was idle for half an hour is over', async () => {
  const { name, documents } = await newRoom()
  const database = new DatabaseSync(join(region.dataDir, 'rooms', name, 'system.db'))
  const setIdle = (minutes: number) =>
    database.prepare('UPDATE sessions SET lastActiveAt = ?').run(new Date(Date.now() - minutes * 60_000).toISOString())
  setIdle(29)
  expect(await region.client.sessions(name)).toHaveLength(1)
  await documents.put('a', 1)
  const [touched] = await region.client.sessions(name)
  expect(Date.parse(touched?.lastActiveAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
  setIdle(31)
  database.close()
  expect(await region.client.sessions(name)).toEqual([])
  expect((await documents.get('a')).status).toBe(401)
})

// shows: data-locked
test('a locked room is read, but not written', async () => {
  const { name, roomId, documents } = await newRoom()
  await documents.put('a', 1)
  await region.client.lockRoom(name, { roomId, holder: 'migration' })
  expect((await documents.put('a', 2)).status).toBe(423)
  expect((await documents.remove('a')).status).toBe(423)
  expect(await (await documents.get('a')).json()).toBe(1)
  await region.client.unlockRoom(name, { roomId, holder: 'migration' })
  expect((await documents.put('a', 2)).status).toBe(200)
})

// shows: catalogue-expired, states-suspend, data-suspended
test('a suspended room and an expired one let nobody in', async () => {
  const { name, roomId, documents } = await newRoom()
  await documents.put('a', 1)
  await region.client.suspendRoom(name, roomId)
  expect([(await documents.get('a')).status, (await documents.put('a', 2)).status]).toEqual([403, 403])
  await region.client.resumeRoom(name, roomId)
  expect((await documents.get('a')).status).toBe(200)
  await region.client.changeRoom(name, { roomId, expirationDate: '2020-02-02' })
  expect([(await documents.get('a')).status, (await documents.put('a', 2)).status]).toEqual([403, 403])
  const today = new Date().toISOString().slice(0, 10)
  await region.client.changeRoom(name, { roomId, expirationDate: today })
  expect((await documents.get('a')).status).toBe(200)
})

// shows: data-routed
test('a room that moved away answers with a redirect that keeps method and path', async () => {
  const { name, documents } = await newRoom()
  await region.client.putRoute(name, 'https://elsewhere.example/')
  const answer = await documents.put('a', 1)
  expect([answer.status, answer.headers.get('location')]).toEqual([
    307,
    `https://elsewhere.example/rooms/${name}/databases/main/documents/a`,
  ])
  // A header takes no other characters than those of ASCII.
  await region.client.putRoute(name, 'https://räume.日本.example')
  expect((await documents.put('a', 1)).headers.get('location')).toContain(
    'https://xn--rume-loa.xn--wgv71a.example/rooms/',
  )
})

test('names that climb out of the room reach nothing', async () => {
  const { name, token } = await newRoom()
  for (const database of ['../system', '..', '../../other/databases/main', 'main.db/../main', 'nothing'])
    expect((await documentsOf(region.url, name, token, database).get('a')).status, database).toBe(404)
})

// shows: data-page
test('the page tells the state of the room and what the console says, and lets none of it act', async () => {
  const { name, roomId } = await newRoom()
  const visit = async (language = 'en') => {
    const answer = await fetch(`${region.url}/${name}`, { headers: { 'accept-language': language } })
    return { answer, html: await answer.text() }
  }
  const { answer, html } = await visit()
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(html).toContain('data-state="active"')
  expect(html).toContain('Back at &#60;b&#62;noon')
  expect(html).toContain('<p>New <em>release</em></p>')
  expect(html).not.toContain('Switched off')
  expect(html).toContain('src="https://www.youtube-nocookie.com/embed/abc%22123"')
  await region.client.suspendRoom(name, roomId)
  expect((await visit('de-DE')).html).toContain('Dieser Projektraum ist angehalten')
  const unknown = await fetch(`${region.url}/%3Cscript%3E`)
  expect([unknown.status, (await unknown.text()).includes('<script>')]).toEqual([404, false])
})

test('a user who takes an answer slowly keeps nobody else from the room', async () => {
  // With faults, an answer passes through more hooks before it is sent.
  const region = await startRegion()
  const creation = newCreation()
  await region.client.createRoom('alpha', creation)
  const { token } = await region.client.openSession('alpha', 'owner@example.org')
  const file = new DatabaseSync(join(region.dataDir, 'rooms', 'alpha', 'databases', 'main.db'))
  // More than the kernel buffers for a client.
  file.prepare("insert into documents (id, body, changedAt) values ('large', ?, '')").run(`"${'x'.repeat(50_000_000)}"`)
  file.close()
  const slow = connect(Number(new URL(region.url).port), '127.0.0.1')
  try {
    slow.write(`GET /rooms/alpha/databases/main/documents/large HTTP/1.1\r\nhost: region\r\n`)
    slow.write(`authorization: Bearer ${token}\r\n\r\n`)
    await new Promise((begun) => slow.once('data', begun))
    slow.pause()
    const locked = await region.client.lockRoom('alpha', { roomId: creation.roomId, holder: 'somebody' })
    expect(locked).toMatchObject({ locked: true })
  } finally {
    slow.destroy()
    await region.remove()
  }
})
