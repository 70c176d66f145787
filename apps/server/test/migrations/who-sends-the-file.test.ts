/** The backup of a move is sent by the source or by the console: by one of them, and only to the target. */
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import type { Capability } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import {
  asksStatus,
  bringsContent,
  deliver,
  interceptCalls,
  isOfFile,
  type PassingCall,
  statusWithout,
} from './intercept-calls.ts'
import { endSessions, entriesOf, moveAll, newMigration, whereabouts } from './moves.ts'

let network: Network
const ends: (() => void)[] = []
beforeAll(async () => {
  network = await bootNetwork({ regions: [{}, {}, {}] })
})
afterAll(async () => {
  await network?.stop()
  for (const end of ends) end()
})

async function moveRoom(source: number, target: number): Promise<void> {
  const room = await network.newRoom()
  const { copies } = await whereabouts(network, room)
  const migrationId = await newMigration(network, { sourceRegion: source + 1, targetRegion: target + 1 })
  await moveAll(network, { migrationId, rooms: [room] })
  expect((await whereabouts(network, room)).copies[target]).toEqual(copies[source])
}

it('the source packs straight into the target, keeps no file, and nobody digests twice', async () => {
  const calls: string[] = []
  ends.push(
    await interceptCalls(network, 0, (call) => {
      note(calls, jobOf(call))
      if (isOfFile(call)) calls.push(`${call.method} file`)
    }),
    await interceptCalls(network, 1, (call) => {
      note(calls, jobOf(call))
      if (bringsContent(call)) calls.push(`content, ${call.headers.authorization?.split(' ')[0]}`)
    }),
  )
  await moveRoom(0, 1)
  expect(calls).toEqual(['backupRoom', 'content, Ticket', 'restoreRoom', 'deleteRoom'])
})

it('a target that says what it was told, and has restored nothing, does not get the room', async () => {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  const { copies } = await whereabouts(network, room)
  ends.push(
    await interceptCalls(network, 1, async (call) => {
      if (jobOf(call) !== 'restoreRoom') return undefined
      const digest = /"([0-9a-f]{64})"/.exec(call.body)?.[1] ?? (await digestInTarget(room))
      const id = call.path.split('/').at(-1)?.split('?')[0]
      const job = { id, type: 'restoreRoom', room, state: 'done', progress: 1, lines: [], error: null }
      const text = JSON.stringify({ ...job, result: { databases: ['main'], digest } })
      return { status: 200, type: 'application/json', text }
    }),
  )
  const migrationId = await newMigration(network)
  await moveAll(network, { migrationId, rooms: [room] })
  expect((await entriesOf(network, migrationId)).at(-1)).toMatchObject({
    outcome: 'failed',
    error: expect.stringContaining('does not hold the same'),
  })
  expect((await whereabouts(network, room)).copies).toEqual(copies)
  // Nor does what was packed remain.
  const files = await readdir(`${network.regions[1]?.dataDir}/files`)
  expect(files.filter((file) => file.endsWith('-direct'))).toEqual([])
})

/** What a region that restored nothing can truthfully say. */
async function digestInTarget(room: string): Promise<string | undefined> {
  return (await network.regions[1]?.client.runJob(randomUUID(), { type: 'digestRoom', room }))?.digest
}

it.each<[string, number, Capability]>([
  ['source that does not send', 0, 'sendBackup'],
  ['target that takes no backups', 2, 'receiveBackup'],
])(
  'to or from a %s, the console carries the stored backup, and neither is asked for what it lacks',
  async (_, at, lacks) => {
    const calls: string[] = []
    ends.push(
      await interceptCalls(network, 0, (call) => {
        note(calls, jobOf(call))
        if (call.body.includes('"to"')) calls.push('to')
        return at === 0 && asksStatus(call) ? statusWithout(network, 0, [lacks]) : undefined
      }),
      await interceptCalls(network, 2, (call) => {
        if (call.path.endsWith('/tickets')) calls.push('ticket')
        if (bringsContent(call)) calls.push(`content, ${call.headers.authorization?.split(' ')[0]}`)
        return at === 2 && asksStatus(call) ? statusWithout(network, 2, [lacks]) : undefined
      }),
    )
    await moveRoom(0, 2)
    expect(calls).toEqual(['backupRoom', 'content, Bearer', 'digestRoom', 'deleteRoom'])
  },
)

it('regions that tell no digest are asked for it afterwards, both of them', async () => {
  const jobs: string[] = []
  const seen = (index: number) => (call: PassingCall) => {
    note(jobs, jobOf(call))
    if (jobOf(call) !== undefined) expect(call.body).not.toContain('"digest"')
    return asksStatus(call) ? statusWithout(network, index, ['digest']) : undefined
  }
  ends.push(await interceptCalls(network, 0, seen(0)), await interceptCalls(network, 1, seen(1)))
  await moveRoom(0, 1)
  expect(jobs.toSorted()).toEqual(['backupRoom', 'deleteRoom', 'digestRoom', 'digestRoom', 'restoreRoom'])
})

function note(jobs: string[], job: string | undefined): void {
  if (job !== undefined) jobs.push(job)
}

/** The type of the job that this call starts. */
function jobOf({ method, path, body }: PassingCall): string | undefined {
  return method === 'PUT' && path.includes('/jobs/') ? (JSON.parse(body) as { type: string }).type : undefined
}

it('no source is sent to an address that only means the target on the machine of the console', async () => {
  const tickets: string[] = []
  ends.push(
    await interceptCalls(network, 1, ({ path }) => {
      if (path.endsWith('/tickets')) tickets.push(path)
    }),
  )
  // Reaches the same region, but could be any machine.
  const address = `http://0.0.0.0:${network.regions[0]?.port}`
  await network.database.rows('update regions set url = $1 where id = 1', [address])
  await moveRoom(0, 1)
  expect(tickets).toEqual([])
})

it('a target that does not have what the source says to have sent gets the backup once it is stored', async () => {
  const jobs: string[] = []
  ends.push(
    await interceptCalls(network, 0, (call) => {
      note(jobs, jobOf(call))
    }),
    await interceptCalls(network, 1, async ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith('-direct')) return
      await network.regions[1]?.client.deleteFile(path.split('/').at(-1) ?? '')
    }),
  )
  await moveRoom(0, 1)
  expect(jobs).toEqual(['backupRoom', 'backupRoom', 'digestRoom', 'deleteRoom'])
  // The direct way between these two is not tried again for each room.
  await moveRoom(0, 1)
  expect(jobs.slice(4)).toEqual(['backupRoom', 'digestRoom', 'deleteRoom'])
  await network.database.rows(
    `update operation_steps set started_at = started_at - interval '10 minutes', ended_at = ended_at - interval '10 minutes'`,
  )
  await moveRoom(0, 1)
  expect(jobs.slice(7)).toEqual(['backupRoom', 'backupRoom', 'digestRoom', 'deleteRoom'])
}, 180_000)

it('the console sends the file only when the source no longer does', async () => {
  const senders: string[] = []
  ends.push(
    await interceptCalls(network, 0, async (call) => {
      if (jobOf(call) !== 'backupRoom' || !call.body.includes('"to"')) return undefined
      await deliver(network, 0, call)
      return { status: 502, text: 'Bad gateway' }
    }),
    await interceptCalls(network, 2, async (call) => {
      if (!bringsContent(call)) return undefined
      const scheme = call.headers.authorization?.split(' ')[0] ?? ''
      senders.push(scheme)
      if (scheme !== 'Ticket') return undefined
      await call.isOver
      senders.push('broken off')
      return 'lost'
    }),
  )
  await moveRoom(0, 2)
  expect(senders).toEqual(['Ticket', 'broken off', 'Bearer'])
})
