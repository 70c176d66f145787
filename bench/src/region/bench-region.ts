/**
 * What the calls and jobs of a region cost it, one at a time, for one room: CPU time of its process and of its child
 * processes, and the time until the answer.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningRegion, startRegion } from '@roomkeeper/dev-env'
import type { JobRequest } from '@roomkeeper/region-protocol'
import { newCreation } from '@roomkeeper/region-protocol/conformance'
import { fillRoom } from '../fill-room.ts'
import { table, timed } from '../measure.ts'
import { cpuTimeOf } from '../process-cost.ts'
import { report } from '../report.ts'

const room = 'benched'
const roomId = randomUUID()
const warmUps = 2

export async function benchRegion({ megabytes, rounds }: { megabytes: number; rounds: number }): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomkeeper-bench-'))
  const region = await startWithRoom(dataDir, megabytes)
  try {
    const rows: string[][] = []
    for (const [name, work] of worksOn(region)) {
      for (let round = 0; round < warmUps; round += 1) await work()
      const before = cpuTimeOf(region.child.pid ?? 0)
      const milliseconds = await timed(async () => {
        for (let round = 0; round < rounds; round += 1) await work()
      })
      const after = cpuTimeOf(region.child.pid ?? 0)
      const costs = [after.own - before.own, after.descendants - before.descendants, milliseconds]
      rows.push([name, ...costs.map((cost) => (cost / rounds).toFixed(1))])
    }
    report(`a room of ${megabytes} MB, ${rounds} times each`)
    report(table(['call or job', 'CPU ms', 'CPU ms of child processes', 'ms'], rows))
  } finally {
    await region.stop('SIGKILL')
    await rm(dataDir, { recursive: true })
  }
}

async function startWithRoom(dataDir: string, megabytes: number): Promise<RunningRegion> {
  const options = { name: 'benched-region', dataDir }
  const first = await startRegion(options)
  await first.client.createRoom(room, newCreation(roomId))
  await first.stop('SIGTERM')
  fillRoom(join(dataDir, 'rooms', room, 'databases', 'main.db'), megabytes)
  return startRegion(options)
}

function worksOn({ client, url }: RunningRegion): [string, () => Promise<unknown>][] {
  const run = (input: JobRequest) => client.runJob(randomUUID(), input)
  const of = { room, roomId }
  let made = { file: '', size: 0, sha256: '' }
  const backUp = async () => {
    made = await client.runJob(randomUUID(), { type: 'backupRoom', ...of })
  }
  const send = async () => {
    const file = randomUUID()
    const { ticket } = await client.openUpload(file, { sizeAtMost: 2 * made.size })
    await run({ type: 'backupRoom', ...of, to: { url, file, ticket } })
  }
  const read = async () => (await client.getFile(made.file)).content.resume().toArray()
  return [
    ['GET rooms/{name}', () => client.room(room)],
    ['POST lock', () => client.lockRoom(room, { roomId, holder: 'bench' })],
    ['POST unlock', () => client.unlockRoom(room, { roomId, holder: 'bench' })],
    ['PUT rooms/{name}', () => client.createRoom(`made${randomUUID().slice(0, 8)}`, newCreation())],
    ['backupRoom', backUp],
    ['GET files/{id}', read],
    ['backupRoom, to itself', send],
    ['restoreRoom', () => run({ type: 'restoreRoom', ...of, file: made.file })],
    ['digestRoom', () => run({ type: 'digestRoom', ...of })],
  ]
}
