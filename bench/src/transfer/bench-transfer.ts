/**
 * A large room on its way out of a region and back, over the region protocol and over the console's API, compared with
 * `cp` and `sha256sum` of the same database in the same run.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { bootNetwork, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { copyAndSum } from '../copy-and-sum.ts'
import { median, table, timed } from '../measure.ts'
import { forgetPeak, peakOf } from '../process-cost.ts'
import { report } from '../report.ts'
import { type LargeRoom, makeLargeRoom, regionOf } from './large-room.ts'

interface Transfer {
  name: string
  seconds: number
  /** Peak memory during the transfer, in MiB. */
  regionMemory: number
  serverMemory: number
}

const regionMemoryAtMost = 300

export async function benchTransfer({ megabytes, rounds }: { megabytes: number; rounds: number }): Promise<void> {
  const network = await bootNetwork()
  try {
    const room = await makeLargeRoom(network, megabytes)
    const copies = join(network.dir, 'copies')
    const found: { bare: number[]; transfers: Transfer[] } = { bare: [], transfers: [] }
    for (let round = 0; round < rounds; round += 1) {
      found.bare.push(await copyAndSum([room.path], copies))
      found.transfers.push(...(await throughRegion(network, room)))
      found.bare.push(await copyAndSum([room.path], copies))
      found.transfers.push(...(await throughConsole(network, room)))
    }
    print(room, median(found.bare), mediansOf(found.transfers))
  } finally {
    await network.stop()
  }
}

async function throughRegion(network: Network, room: LargeRoom): Promise<Transfer[]> {
  const { client } = regionOf(network)
  const path = join(network.dir, 'backup.zip')
  const id = crypto.randomUUID()
  let sha256 = ''
  const out = await measured(network, 'region: backupRoom, GET file', async () => {
    const backup = await client.runJob(id, { type: 'backupRoom', room: room.name }, undefined, quickly)
    sha256 = backup.sha256
    await pipeline((await client.getFile(backup.file)).content, createWriteStream(path, inPieces))
  })
  const { size } = await stat(path)
  const open = (start: number) => createReadStream(path, { start, ...inPieces }) as AsyncIterable<Buffer>
  const back = await measured(network, 'region: PUT file, restoreRoom', async () => {
    const file = crypto.randomUUID()
    await client.putFile(file, { size, sha256, open })
    const restore = { type: 'restoreRoom' as const, room: room.name, roomId: room.roomId, file }
    await client.runJob(crypto.randomUUID(), restore, undefined, quickly)
  })
  await rm(path)
  return [out, back]
}

const quickly = { pollMilliseconds: 50 }
/** The reading and writing of the file is not what is measured. */
const inPieces = { highWaterMark: 1 << 20 }

async function throughConsole(network: Network, room: LargeRoom): Promise<Transfer[]> {
  const { admin } = network
  const path = join(network.dir, 'backup.zip')
  const out = await measured(network, 'console: backup, download', async () => {
    await admin.call('backupRoom', { query: { projectRoomName: room.name, isD2O: false } })
    await ended(network, room)
    const { body } = await admin.call('roomBackups', { query: { projectRoom: room.name } })
    const answer = await fetch(`${network.server.address}/api/operator/room/backups/${body[0]?.id}/content`, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    if (!answer.ok || answer.body === null) throw new Error(`The download failed with ${answer.status}.`)
    await pipeline(answer.body, createWriteStream(path, inPieces))
  })
  const back = await measured(network, 'console: upload, restore', async () => {
    const { tmpFileName } = await network.upload('uploadBackup', { name: 'backup.zip', content: path })
    await admin.call('restoreRoom', { body: { projectRoom: roomDraft({ tenantName: room.name }), tmpFileName } })
    await ended(network, room)
  })
  await rm(path)
  return [out, back]
}

/** @throws Error when the last operation of the room failed */
async function ended({ admin }: Network, { name }: LargeRoom): Promise<void> {
  const isOver = async () => !(await admin.call('isRunning', { params: { projectRoomName: name } })).body
  await until(`no operation of ${name} runs`, isOver, 1800)
}

async function measured(network: Network, name: string, work: () => Promise<void>): Promise<Transfer> {
  const pids = [regionOf(network), network.server].map(({ child }) => child.pid ?? 0)
  const [region = 0, server = 0] = pids
  for (const pid of pids) forgetPeak(pid)
  const seconds = (await timed(work)) / 1000
  const found = { name, seconds, regionMemory: Math.round(peakOf(region)), serverMemory: Math.round(peakOf(server)) }
  console.error(`${name}: ${seconds.toFixed(1)} s, region ${found.regionMemory} MiB, server ${found.serverMemory} MiB`)
  return found
}

function mediansOf(transfers: Transfer[]): Transfer[] {
  const names = [...new Set(transfers.map(({ name }) => name))]
  return names.map((name) => {
    const ours = transfers.filter((each) => each.name === name)
    return {
      name,
      seconds: median(ours.map(({ seconds }) => seconds)),
      regionMemory: Math.max(...ours.map(({ regionMemory }) => regionMemory)),
      serverMemory: Math.max(...ours.map(({ serverMemory }) => serverMemory)),
    }
  })
}

function print({ size }: LargeRoom, bare: number, transfers: Transfer[]): void {
  const rate = (seconds: number) => `${Math.round(size / 1_000_000 / seconds)}`
  const row = ({ name, seconds, regionMemory, serverMemory }: Transfer) => [
    name,
    seconds.toFixed(1),
    rate(seconds),
    `${Math.round((100 * bare) / seconds)} %`,
    `${regionMemory}`,
    `${serverMemory}`,
    bare / seconds >= 0.5 && regionMemory < regionMemoryAtMost ? 'yes' : 'no',
  ]
  report(`${Math.round(size / 1_000_000)} MB in one database`)
  const header = ['transfer', 's', 'MB/s', 'speed of cp + sha256sum', 'region MiB', 'server MiB', 'within the aim']
  report(table(header, [['cp, sha256sum', bare.toFixed(1), rate(bare), '100 %', '', '', ''], ...transfers.map(row)]))
}
