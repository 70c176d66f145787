import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRegionClient } from '../client.ts'

/** A region whose status tells this, besides what every status tells. */
async function regionThatTells(told: object) {
  const region = { told, token: 'first', calls: [] as string[] }
  const server = createServer((asked, answer) => {
    const path = asked.url?.replace('/region/v1/', '') ?? ''
    region.calls.push(`${asked.method} ${path}`)
    asked.resume()
    const isKnown = path === 'session' || asked.headers.authorization === `Bearer ${region.token}`
    const status = { name: 'x', version: '1', products: [], rooms: 0, freeBytes: 1, ...region.told }
    const session = { token: region.token, expiresAt: '2099-01-01T00:00:00Z' }
    answer.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    answer.end(JSON.stringify(path === 'session' ? session : status))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { region, client: createRegionClient({ url, userName: 'superuser', password: 'password' }) }
}

test('a region that tells no capabilities has none, and is not asked for what it lacks', async () => {
  const { region, client } = await regionThatTells({})
  expect(await client.status()).toMatchObject({ protocolVersion: 1, capabilities: [] })
  expect(await client.routes()).toBe(null)
  expect(await client.raiseFences([])).toBe(false)
  expect(await client.consoleRecord('alpha')).toBe(null)
  expect(await client.keepConsoleRecord('alpha', { roomId: crypto.randomUUID(), record: 'text' })).toBe(false)
  await client.deleteFile('file')
  expect(region.calls).toEqual(['POST session', 'GET status'])
})

test('names of capabilities that the console does not know are ignored', async () => {
  const { client } = await regionThatTells({ capabilities: ['flies', 'routes', 'routes'] })
  expect((await client.status()).capabilities).toEqual(['routes'])
  expect([await client.offers('routes'), await client.offers('digest')]).toEqual([true, false])
})

test('capabilities are asked for anew after each sign-in', async () => {
  const { region, client } = await regionThatTells({ capabilities: ['routes'] })
  expect(await client.offers('routes')).toBe(true)
  Object.assign(region, { told: { capabilities: ['digest'] }, token: 'second' })
  // The call that finds the session ended signs in again.
  await client.deleteRoute('alpha').catch(() => undefined)
  expect([await client.offers('routes'), await client.offers('digest')]).toEqual([false, true])
})

test('a region that speaks another version of the protocol is refused, and the reason says so', async () => {
  const { client } = await regionThatTells({ protocolVersion: 2 })
  const reason = 'The region speaks version 2 of the protocol, this console version 1.'
  await expect(client.status()).rejects.toMatchObject({ name: 'RegionUnreachable', message: reason })
})
