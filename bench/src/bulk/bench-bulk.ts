/**
 * Bulks: suspends 100, 1,000 and 10,000 empty rooms on two regions, in the product as one bulk and, as the simplest
 * thing that does the same, by calls of the regions' protocol and one SQL statement for each room. What a room costs
 * must not grow with their number.
 */
import { bootNetwork, type Network, seedRegions } from '@roomkeeper/dev-env'
import { table, timed } from '../measure.ts'
import { countingDatabase } from '../operations/database-counter.ts'
import { cpuOfServers } from '../operations/measure-operations.ts'
import { privateMegabytesOf } from '../process-cost.ts'
import { report } from '../report.ts'
import { regionWithoutFaults, withoutFaults } from '../without-faults.ts'

interface Measured {
  rooms: number
  seconds: number
  bareSeconds: number
  cpu: number
  commits: number
  memory: number
}

export async function benchBulk({ lengths }: { lengths: readonly number[] }): Promise<void> {
  const measured: Measured[] = []
  for (const rooms of lengths) measured.push(await measureBulk(rooms))
  report(`suspended at once, two regions`)
  const rows = measured.map(({ rooms, seconds, bareSeconds, cpu, commits, memory }) => [
    String(rooms),
    (rooms / seconds).toFixed(1),
    (rooms / bareSeconds).toFixed(1),
    `${((100 * bareSeconds) / seconds).toFixed(0)} %`,
    (cpu / rooms).toFixed(1),
    (commits / rooms).toFixed(1),
    memory.toFixed(0),
  ])
  const heads = ['rooms', 'rooms/s', 'bare rooms/s', 'of bare', 'CPU per room, ms', 'commits per room', 'memory, MiB']
  report(table(heads, rows))
}

/** On a network of its own, because a suspended room cannot be suspended again. */
async function measureBulk(rooms: number): Promise<Measured> {
  const network = await bootNetwork({ regions: [regionWithoutFaults, regionWithoutFaults], env: { ...withoutFaults } })
  const counter = await countingDatabase(network.database.url)
  try {
    const bare = await seedRegions(network, { rooms: Math.min(rooms, 1000), companyName: 'Bare', prefix: 'bare' })
    const bareSeconds = ((await timed(() => suspendBare(network, bare))) / 1000) * (rooms / bare.length)
    await seedRegions(network, { rooms, companyName: 'Fleet of many', prefix: 'fleet' })
    const before = { ...(await counter.read()), cpu: cpuOfServers([network.server]) }
    let memory = 0
    const milliseconds = await timed(async () => {
      const id = await start(network, rooms)
      for (;;) {
        const { body } = await network.admin.call('bulk', { params: { id } })
        memory = Math.max(memory, privateMegabytesOf(network.server.child.pid))
        if (body.endedAt !== null && body.counts.DONE !== rooms) throw new Error(`Not all: ${JSON.stringify(body)}`)
        if (body.endedAt !== null) return
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    })
    const after = await counter.read()
    const cpu = cpuOfServers([network.server]) - before.cpu
    return { rooms, seconds: milliseconds / 1000, bareSeconds, cpu, commits: after.commits - before.commits, memory }
  } finally {
    await counter.close()
    await network.stop()
  }
}

async function start(network: Network, expectedTotal: number): Promise<string> {
  const lists = { search_keys: [], search_values: [], filter_keys: [], filter_values: [], filter_conditions: [] }
  const query = { ...lists, search: 'fleet many', order_by: 'tenantName', order_dir: 'asc' as const }
  const body = {
    action: 'suspend' as const,
    selection: { query, except: [] },
    parameters: { userNotification: false },
    expectedTotal,
  }
  return (await network.admin.call('startBulk', { body })).body.operationId
}

const atOnce = 6

/** As many at once as the bulk has on both regions together. */
async function suspendBare({ regions, database }: Network, names: readonly string[]): Promise<void> {
  const rows = await database.rows<{ id: string; name: string; region_id: number }>(
    'select id, name, region_id from rooms where name = any($1)',
    [names],
  )
  const work = async () => {
    for (let room = rows.shift(); room !== undefined; room = rows.shift()) {
      await regions[room.region_id - 1]?.client.suspendRoom(room.name, room.id, {
        operation: room.id,
        fence: 2,
        key: `${room.id}:suspend`,
      })
      await database.rows(`update rooms set state = 'SUSPENDED', version = version + 1 where id = $1`, [room.id])
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
