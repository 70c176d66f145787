/** What a move gives its source, to pack straight into the target, ends when it is not used, whatever the source says. */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { digestAtEnd, ticketHeader, type UploadAddress } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliver, interceptCalls, type PassingCall } from './intercept-calls.ts'
import { entriesOf, moveAll, newMigration, whereabouts } from './moves.ts'

let network: Network
const ends: (() => void)[] = []
beforeAll(async () => {
  network = await bootNetwork({ regions: [{}, {}, {}] })
})
afterAll(async () => {
  await network?.stop()
  for (const end of ends) end()
})

it('what was packed is gone when the move is undone, also if the source denies the job', async () => {
  let packed: string[] = []
  ends.push(
    await interceptCalls(network, 0, ({ method, path }) =>
      method === 'DELETE' && path.includes('backup-to-target') ? refusal(404, 'job-unknown') : undefined,
    ),
    await interceptCalls(network, 1, async ({ method, path }) => {
      if (method === 'DELETE' && path.endsWith('-direct')) packed = await directFilesIn(1)
    }),
  )
  await network.planFault('room.migrate:create-copy:before:fail')
  const { outcome } = await moveRoom(1)
  expect(outcome).toBe('failed')
  expect(packed).toHaveLength(1)
  expect(await directFilesIn(1)).toEqual([])
})

it('what was packed is gone before the console relies on the source for cleaning up', async () => {
  let left: string[] | null = null
  ends.push(
    await interceptCalls(network, 0, async (call) => {
      if (jobOf(call)?.type === 'deleteRoom') left = await directFilesIn(1)
    }),
  )
  expect(await moveRoom(1)).toMatchObject({ outcome: 'migrated' })
  expect(left).toEqual([])
})

it('what was packed is gone when the source refuses the job after it has sent it', async () => {
  let sent: string[] = []
  let left: string[] | null = null
  ends.push(
    await interceptCalls(network, 0, async (call) => {
      const job = jobOf(call)
      if (job?.type !== 'backupRoom') return undefined
      if (job.to === undefined) {
        left = await directFilesIn(2)
        return undefined
      }
      await deliver(network, 0, call)
      await until('the target has the file', async () => (await directFilesIn(2)).length === 1)
      sent = await directFilesIn(2)
      return refusal(409, 'locked-by-another')
    }),
  )
  expect(await moveRoom(2)).toMatchObject({ outcome: 'migrated' })
  expect(sent).toHaveLength(1)
  expect(left).toEqual([])
})

it('a source that refuses the job cannot use its ticket, and gets no other', async () => {
  const given: UploadAddress[] = []
  const answers: number[] = []
  ends.push(
    await interceptCalls(network, 0, async (call) => {
      const job = jobOf(call)
      if (job?.type !== 'backupRoom') return undefined
      if (job.to === undefined) {
        for (const to of given) answers.push(await sendTo(to))
        return undefined
      }
      given.push(job.to)
      return refusal(409, 'locked-by-another')
    }),
  )
  for (let room = 0; room < 2; room += 1) expect(await moveRoom(1)).toMatchObject({ outcome: 'migrated' })
  expect(given).toHaveLength(1)
  expect(answers).toEqual([401, 401])
  expect(await directFilesIn(1)).toEqual([])
})

/** @returns the entry of the move, of a room that is whole afterwards */
async function moveRoom(target: number) {
  const room = await network.newRoom()
  const { copies } = await whereabouts(network, room)
  const migrationId = await newMigration(network, { targetRegion: target + 1 })
  await moveAll(network, { migrationId, rooms: [room] })
  const entry = (await entriesOf(network, migrationId)).at(-1)
  const after = await whereabouts(network, room)
  expect(after.copies[entry?.outcome === 'migrated' ? target : 0]).toEqual(copies[0])
  return { outcome: entry?.outcome }
}

async function directFilesIn(index: number): Promise<string[]> {
  const files = await readdir(`${network.regions[index]?.dataDir}/files`)
  return files.filter((file) => file.endsWith('-direct'))
}

/** The job that this call starts. */
function jobOf({ method, path, body }: PassingCall): { type: string; to?: UploadAddress } | undefined {
  return method === 'PUT' && path.includes('/jobs/') ? JSON.parse(body) : undefined
}

/** @returns the status of the answer */
async function sendTo({ file, ticket }: UploadAddress): Promise<number> {
  const content = Buffer.from('anything')
  const answer = await fetch(`${network.regions[1]?.url}/region/v1/files/${file}`, {
    method: 'PUT',
    headers: {
      authorization: ticketHeader(ticket),
      'content-type': 'application/octet-stream',
      [digestAtEnd.name]: digestAtEnd.value,
    },
    body: Buffer.concat([content, createHash('sha256').update(content).digest()]),
  })
  await answer.body?.cancel()
  return answer.status
}

function refusal(status: number, type: string) {
  const problem = { type: `urn:roomkeeper-region:${type}`, title: 'Refused', status, detail: 'It is refused.' }
  return { status, type: 'application/problem+json', text: JSON.stringify(problem) }
}
