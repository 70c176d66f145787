/** Streams of consoles that come and go while the database is slow. */
import { type FaultProxy, startFaultProxy } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#platform/database.ts'
import { createLog } from '#platform/log.ts'
import { createScheduler } from '#platform/recurring.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { createEventHub } from './event-hub.ts'
import { eventHandlers } from './event-routes.ts'

let proxy: FaultProxy
let url: URL
beforeAll(async () => {
  url = new URL((await createTestDatabase()).url)
  proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
  url.port = String(proxy.port)
})
afterAll(() => proxy?.close())

it('a console that leaves while the first events are waited for is not kept', async () => {
  const database = openDatabase(url.href)
  const hub = createEventHub(database, createLog('silent'))
  const { events } = eventHandlers(
    database,
    hub,
    createScheduler({ database, log: createLog('silent'), clock: { isRight: () => true } }),
  )
  const client = new AbortController()
  await proxy.set({ blackHole: 'everything' })
  const caller = { role: 'CLOUD_ADMINISTRATOR', operatorId: 'ada', tokenHash: Buffer.alloc(32) }
  const call = { signal: client.signal, caller, header: () => undefined }
  const { stream } = await events(call as never)
  expect(hub.subscriptions()).toBe(1)
  client.abort()
  await proxy.set({})

  const other = await events({ ...call, signal: new AbortController().signal } as never)
  await new Promise((resolve) => other.stream.once('data', resolve))
  expect(stream.destroyed).toBe(true)
  expect(hub.subscriptions()).toBe(1)
  await hub.close()
  expect(hub.subscriptions()).toBe(0)
  await database.close()
})

it('a console whose stream could not begin is not kept', async () => {
  const database = openDatabase(url.href)
  const hub = createEventHub(database, createLog('silent'))
  await proxy.set({ refuse: true })
  await expect(hub.subscribe(() => undefined, new AbortController().signal)).rejects.toThrow()
  expect(hub.subscriptions()).toBe(0)
  await proxy.set({})
  await hub.close()
  await database.close()
})
