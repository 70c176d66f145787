/** An object store whose error or object never ends: the answer is refused and not collected in memory. */
import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { ObjectStoreLocation } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { locationAt } from './location-at.ts'
import { eventually, newCreation, type RegionProcess, startRegion } from './region-process.ts'

const chunk = Buffer.alloc(65_536, 'x')
/** More than all buffers in between can hold. */
const chunks = 4096

let region: RegionProcess
let roomId: string
beforeAll(async () => {
  region = await startRegion()
  const made = await region.client.createRoom('alpha', newCreation())
  roomId = made.roomId
})
afterAll(() => region.remove())

test('an error without an end is not taken, and the connection is closed', async () => {
  const pouring = countPours()
  await using store = await startStore((asked, answer) => {
    asked.resume()
    answer.writeHead(400)
    pouring.pour(answer)
  })
  const refused = { type: 'urn:roomkeeper-region:object-store-refused' }
  await expect(backUp(store.location)).rejects.toMatchObject(refused)
  await eventually(() => pouring.cutOff > 0)
  pouring.cutOff = 0
  await expect(restore(store.location)).rejects.toMatchObject(refused)
  await eventually(() => pouring.cutOff > 0)
})

test('an object without an end is neither written nor compared on, and the connection is closed', async () => {
  const pouring = countPours()
  await using store = await startStore(async (asked, answer) => {
    await asked.resume().toArray()
    if (asked.method !== 'GET') {
      answer.writeHead(200, { etag: '"x"' }).end()
      return
    }
    answer.writeHead(200)
    pouring.pour(answer)
  })
  await expect(backUp(store.location)).rejects.toMatchObject({ type: 'urn:roomkeeper-region:object-differs' })
  await eventually(() => pouring.cutOff === 1)
  const restored = restore(store.location)
  await expect(restored).rejects.toMatchObject({ type: 'urn:roomkeeper-region:object-store-unreachable' })
  await eventually(() => pouring.cutOff === 2)
})

const backUp = (target: ObjectStoreLocation) =>
  region.client.runJob(crypto.randomUUID(), { type: 'backupToObjectStore', room: 'alpha', target })

const restore = (source: ObjectStoreLocation) =>
  region.client.runJob(crypto.randomUUID(), { type: 'restoreFromObjectStore', room: 'alpha', roomId, source })

function countPours() {
  const pouring = {
    /** How many answers the region did not read to the end. */
    cutOff: 0,
    pour(answer: ServerResponse) {
      let left = chunks
      const more = () => {
        while (!answer.destroyed && left > 0) {
          left -= 1
          if (!answer.write(chunk)) return
        }
        if (left === 0) answer.end()
      }
      answer.on('drain', more)
      answer.on('close', () => {
        if (left > 0) pouring.cutOff += 1
      })
      more()
    },
  }
  return pouring
}

async function startStore(answers: RequestListener) {
  const server = createServer(answers)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const location = locationAt(server)
  return {
    location: location,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
