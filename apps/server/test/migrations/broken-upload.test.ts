/** The connection to the target breaks in the middle of uploading a move's backup. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { bootNetwork, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  asksStatus,
  bringsContent,
  interceptCalls,
  isOfFile,
  type PassingCall,
  statusWithout,
} from './intercept-calls.ts'
import { moveAll, newMigration, whereabouts } from './moves.ts'

let network: Network
const ends: (() => void)[] = []
beforeAll(async () => {
  network = await bootNetwork({ regions: [{}, {}] })
})
afterAll(async () => {
  await network?.stop()
  for (const end of ends) end()
})

const source = 0
const target = 1
const region = (index: number) => network.regions[index] as RunningRegion

/** Sends a part of the file to the target, then breaks the connection. @returns how many bytes the target has kept */
async function deliverPart({ path, headers }: PassingCall): Promise<number> {
  const file = path.split('/').at(-1) ?? ''
  const content = Buffer.concat(await (await region(source).client.getFile(file)).content.toArray())
  const url = `${region(target).url}${path}`
  const authorization = `Bearer ${await tokenOf(region(target))}`
  const { digest } = headers
  const asking = { authorization, digest, 'content-type': 'application/octet-stream', 'content-length': 0 }
  const part = join(region(target).dataDir, 'files', file, 'part')
  let received = 0
  await until('a part has arrived', async () => {
    const upload = request(url, { method: 'PUT', headers })
    upload.on('error', () => undefined)
    await rm(part, { force: true })
    upload.write(content.subarray(0, content.length / 2))
    await until('the region reads', async () => existsSync(part))
    upload.destroy()
    // Bytes that the region had not read by then are lost; if it has none at all, the part is sent again.
    const asks = request(url, { method: 'PUT', headers: { ...asking, 'content-range': `bytes */${content.length}` } })
    asks.end()
    const [answer] = await once(asks, 'response')
    received = JSON.parse(Buffer.concat(await answer.toArray()).toString()).received
    return received > 0
  })
  return received
}

async function tokenOf({ url, userName, password }: RunningRegion): Promise<string> {
  const answer = await fetch(`${url}/region/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName, password }),
  })
  return ((await answer.json()) as { token: string }).token
}

it('the backup goes on where it broke off, and the source sends only what is missing: the console carries it', async () => {
  const ranges: (string | undefined)[] = []
  let arrived = 0
  const sentBy: string[] = []
  const proxies = [
    await interceptCalls(network, source, (call) => {
      if (call.method === 'GET' && isOfFile(call)) ranges.push(call.headers.range)
    }),
    await interceptCalls(network, target, async (call) => {
      if (asksStatus(call)) return statusWithout(network, target, ['receiveBackup'])
      if (!bringsContent(call)) return undefined
      sentBy.push(call.headers.authorization?.split(' ')[0] ?? '')
      if (arrived > 0) return undefined
      arrived = await deliverPart(call)
      return 'lost'
    }),
  ]
  ends.push(...proxies)
  const room = await network.newRoom()
  const before = await whereabouts(network, room)
  await moveAll(network, { migrationId: await newMigration(network), rooms: [room] })
  expect(arrived).toBeGreaterThan(0)
  expect(sentBy).toEqual(['Bearer', 'Bearer'])
  expect(ranges).toEqual([undefined, `bytes=${arrived}-`])
  const { copies } = await whereabouts(network, room)
  expect(copies).toEqual([null, before.copies[source]])
})
