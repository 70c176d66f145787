/** An object store whose error has no end: it is told as one, and not collected. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { eventually, newCreation, startRegion } from './region-process.ts'

const chunk = Buffer.alloc(65_536, 'x')
/** More than all buffers on the way hold. */
const chunks = 4096

test('an error without an end is not taken, and the connection is closed', async () => {
  let cutOff = 0
  const store = createServer((asked, answer) => {
    asked.resume()
    answer.writeHead(400)
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
      if (left > 0) cutOff += 1
    })
    more()
  })
  store.listen(0, '127.0.0.1')
  await once(store, 'listening')
  const region = await startRegion()
  try {
    const { roomId } = await region.client.createRoom('alpha', newCreation())
    const place = {
      endpoint: `http://127.0.0.1:${(store.address() as AddressInfo).port}`,
      region: 'us-east-1',
      bucket: 'bucket',
      key: 'x.zip',
      accessKey: 'access',
      secretKey: 'secret',
      sessionToken: '',
    }
    const refused = { type: 'urn:roomkeeper-region:object-store-refused' }
    const backup = { type: 'backupToObjectStore', room: 'alpha', target: place } as const
    await expect(region.client.runJob(crypto.randomUUID(), backup)).rejects.toMatchObject(refused)
    await eventually(() => cutOff > 0)
    cutOff = 0
    const restore = { type: 'restoreFromObjectStore', room: 'alpha', roomId, source: place } as const
    await expect(region.client.runJob(crypto.randomUUID(), restore)).rejects.toMatchObject(refused)
    await eventually(() => cutOff > 0)
  } finally {
    await region.remove()
    store.closeAllConnections()
    store.close()
  }
})
