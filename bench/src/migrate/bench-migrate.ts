/**
 * Live migrations of many rooms, there and back, compared with `cp` and `sha256sum` of the same files in the same run;
 * and the cost per room in runs of different lengths.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { copyAndSum } from '../copy-and-sum.ts'
import { fillRoom } from '../fill-room.ts'
import { table, timed } from '../measure.ts'
import { cpuTimeOf } from '../process-cost.ts'
import { report } from '../report.ts'
import { regionWithoutFaults, withoutFaults } from '../without-faults.ts'

export interface MigrateBench {
  /** The number of rooms in the run that is compared with cp. */
  rooms: number
  /** The size of each room. */
  megabytes: number
  /** The numbers of rooms of the runs whose cost per room is compared. */
  lengths: number[]
  /** How many rooms move at the same time. */
  atOnce: number
}

export async function benchMigrate({ rooms, megabytes, lengths, atOnce }: MigrateBench): Promise<void> {
  const network = await bootNetwork({
    regions: [regionWithoutFaults, regionWithoutFaults],
    env: { REGION_CONCURRENCY: String(atOnce), ...withoutFaults },
  })
  try {
    const most = Math.max(rooms, ...lengths)
    const names = Array.from({ length: most }, (_, index) => `moving${String(index).padStart(4, '0')}`)
    await makeRooms(network, names, megabytes)
    const ways = [await saveMigration(network, 1, 2), await saveMigration(network, 2, 1)]
    const there = ways[0] as number
    const back = ways[1] as number
    const compared = names.slice(0, rooms)
    const bytes = await bytesOf(network, compared)
    // Warm up.
    await migrate(network, there, names.slice(0, 10))
    await migrate(network, back, names.slice(0, 10))
    const folders = compared.map((name) => join(roomsFolder(network), name))
    const copies = join(network.dir, 'copies')
    const bare = [await copyAndSum(folders, copies)]
    const before = await cpuOf(network)
    const moves = [await migrate(network, there, compared)]
    moves.push(await migrate(network, back, compared))
    const cpu = perRoom(before, await cpuOf(network), 2 * rooms)
    bare.push(await copyAndSum(folders, copies))
    const costs: [number, number][] = []
    for (const length of lengths) {
      const some = names.slice(0, length)
      const seconds = ((await migrate(network, there, some)) + (await migrate(network, back, some))) / 2
      costs.push([length, seconds])
    }
    print({ rooms, bytes, bare: mean(bare), move: mean(moves), cpu, costs })
  } finally {
    await network.stop()
  }
}

/** The content is incompressible, like most of what fills rooms. */
async function makeRooms(network: Network, names: readonly string[], megabytes: number): Promise<void> {
  const begun = Date.now()
  for (let first = 0; first < names.length; first += 20) {
    const some = names.slice(first, first + 20)
    await Promise.all(some.map((tenantName) => network.admin.call('createRoom', { body: roomDraft({ tenantName }) })))
    await network.settle()
  }
  const region = network.regions[0] as Network['regions'][number]
  await region.stop('SIGTERM')
  for (const name of names) fillRoom(join(region.dataDir, 'rooms', name, 'databases', 'main.db'), megabytes)
  await network.restartRegion(0)
  console.error(`made ${names.length} rooms, ${Math.round((Date.now() - begun) / 1000)} s`)
}

export async function saveMigration(network: Network, sourceRegion: number, targetRegion: number): Promise<number> {
  const body = { sourceRegion, targetRegion, parallel: true }
  return (await network.admin.call('saveLiveMigration', { body })).body.id
}

/** Seconds from the call to the end of the run. @throws Error when not every room arrived */
async function migrate(network: Network, id: number, selectedRooms: string[]): Promise<number> {
  const { admin } = network
  const milliseconds = await timed(async () => {
    await admin.call('startLiveMigration', { body: { liveMigrationData: { id }, selectedRooms } })
    const isOver = async () => (await admin.call('liveMigration', { params: { id } })).body.state !== 'RUNNING'
    await until('the migration has ended', isOver, 3600)
  })
  const { state } = (await admin.call('liveMigration', { params: { id } })).body
  if (state !== 'COMPLETED') throw new Error(`The migration ended ${state}.`)
  await network.settle()
  console.error(`${selectedRooms.length} rooms: ${(milliseconds / 1000).toFixed(1)} s`)
  return milliseconds / 1000
}

/** Milliseconds of CPU time so far, by program. */
async function cpuOf(network: Network): Promise<Map<string, number>> {
  const [postmaster] = await network.database.rows<{ pid: number }>(
    `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`,
  )
  const programs: [string, number | undefined][] = [
    ['server', network.server.child.pid],
    ...network.regions.map(({ name, child }): [string, number | undefined] => [name, child.pid]),
    ['PostgreSQL', postmaster?.pid],
  ]
  return new Map(
    programs.flatMap(([name, pid = 0]) => {
      const { own, descendants } = cpuTimeOf(pid)
      return [
        [name, own],
        [`${name}: its child processes`, descendants],
      ] as [string, number][]
    }),
  )
}

function perRoom(before: Map<string, number>, after: Map<string, number>, rooms: number): [string, number][] {
  return [...after].map(([name, time]) => [name, (time - (before.get(name) ?? 0)) / rooms])
}

function roomsFolder(network: Network): string {
  return join((network.regions[0] as Network['regions'][number]).dataDir, 'rooms')
}

async function bytesOf(network: Network, names: readonly string[]): Promise<number> {
  let bytes = 0
  for (const name of names) {
    const folder = join(roomsFolder(network), name)
    for (const file of await readdir(folder, { recursive: true })) bytes += (await stat(join(folder, file))).size
  }
  return bytes
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length
}

interface Found {
  rooms: number
  bytes: number
  /** Seconds. */
  bare: number
  move: number
  /** Milliseconds of CPU time per room, by program. */
  cpu: [string, number][]
  costs: [number, number][]
}

function print({ rooms, bytes, bare, move, cpu, costs }: Found): void {
  const perMinute = (seconds: number) => `${Math.round((rooms / seconds) * 60)}`
  const rate = (seconds: number) => (bytes / 1_000_000 / seconds).toFixed(1)
  report(`${rooms} rooms, ${Math.round(bytes / 1_000_000)} MB together`)
  report(
    table(
      [`${rooms} rooms`, 's', 'rooms/min', 'MB/s', 'time of cp + sha256sum'],
      [
        ['cp, sha256sum', bare.toFixed(1), perMinute(bare), rate(bare), '1.0'],
        ['live migration, parallel', move.toFixed(1), perMinute(move), rate(move), (move / bare).toFixed(1)],
      ],
    ),
  )
  const all = cpu.reduce((sum, [, milliseconds]) => sum + milliseconds, 0)
  const cpuRows = [...cpu, ['all', all] as const].map(([name, milliseconds]) => [name, milliseconds.toFixed(0)])
  report(table(['program', 'CPU ms per room'], cpuRows))
  const costRow = ([length, seconds]: [number, number]) => [
    `${length}`,
    seconds.toFixed(1),
    `${Math.round((seconds * 1000) / length)}`,
  ]
  report(table(['rooms in the run', 's', 'ms per room'], costs.map(costRow)))
}
