/** A region sends a file to another one that lies, breaks off or sends it elsewhere: the job ends, the region goes on. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { RegionJobFailed } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LyingRegion, startLyingRegion } from './lying-region.ts'
import { newCreation, type RegionProcess, startRegion } from './region-process.ts'

let region: RegionProcess
let backup: { file: string; size: number; sha256: string }
const targets: LyingRegion[] = []
beforeAll(async () => {
  region = await startRegion()
  backup = await region.client.runJob('backup', { type: 'backupRoom', room: await newRoom() })
})
afterAll(async () => {
  for (const target of targets) target.stop()
  await region.remove()
})

let rooms = 0
/** Jobs of one room wait for each other. */
async function newRoom(): Promise<string> {
  rooms += 1
  return (await region.client.createRoom(`room${rooms}`, newCreation())).name
}

type Answering = (asked: IncomingMessage, answer: ServerResponse) => void | Promise<void>
const ticket = 'a-secret-ticket'

async function sendTo(answering: Answering) {
  const target = await startLyingRegion(answering)
  targets.push(target)
  const id = crypto.randomUUID()
  const room = await newRoom()
  const to = { url: target.url, file: 'there', ticket }
  const ended = await region.client
    .runJob(id, { type: 'sendFile', room, file: backup.file, to })
    .catch((error: unknown) => error)
  expect(JSON.stringify(await region.client.job(id))).not.toContain(ticket)
  return ended
}

const asksOnly = (asked: IncomingMessage) => asked.headers['content-range']?.startsWith('bytes */') === true
const tell = (answer: ServerResponse, received: number, complete = false) =>
  answer
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ id: 'there', size: backup.size, received, complete, sha256: null }))

const hostile: Record<string, Answering> = {
  'says that it has more than there is': (_, answer) => void tell(answer, 2 ** 52),
  'breaks off while it reads': (asked, answer) => {
    if (asksOnly(asked)) return void tell(answer, 0)
    asked.once('data', () => asked.destroy())
  },
  'answers before it has read, and reads no more': (asked, answer) => {
    if (asksOnly(asked)) return void tell(answer, 0)
    answer.writeHead(500, { connection: 'close' }).end('{}')
  },
  'answers without end': (asked, answer) => {
    asked.resume()
    answer.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!answer.destroyed && answer.write('"'.repeat(65_536)));
    }
    answer.on('drain', more)
    more()
  },
}

test.concurrent.each(Object.entries(hostile))('a target that %s', async (_, answering) => {
  const failed = await sendTo(answering)
  expect(failed).toBeInstanceOf(RegionJobFailed)
  expect(failed).toMatchObject({ type: 'urn:roomkeeper-region:file-not-sent' })
  expect(region.child.exitCode).toBeNull()
  expect(region.output()).not.toContain(ticket)
})

test.concurrent.each([
  ['the question', () => true],
  ['the content', (asked: IncomingMessage) => !asksOnly(asked)],
])('a target that redirects %s leads the region nowhere', async (_, redirects) => {
  const led: string[] = []
  const elsewhere = await startLyingRegion(({ headers }, answer) => {
    led.push(String(headers.authorization))
    tell(answer, 0, true)
  })
  targets.push(elsewhere)
  const failed = await sendTo((asked, answer) => {
    if (!redirects(asked)) return void tell(answer, 0)
    asked.resume()
    answer.writeHead(307, { location: `${elsewhere.url}${asked.url}` }).end()
  })
  expect(failed).toMatchObject({ type: 'urn:roomkeeper-region:file-not-sent' })
  expect(led).toEqual([])
})
