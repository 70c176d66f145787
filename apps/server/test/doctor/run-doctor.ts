/** Shared by the tests of the doctor: finds what is wrong with a room, and runs a repair to its end. */
import type { Finding, Repair, RepairPreview } from '@roomkeeper/contract'
import type { Network, RunningRegion } from '@roomkeeper/dev-env'
import { creation } from './creation.ts'

/** Runs the doctor now. @returns its findings */
export async function runDoctor(network: Network): Promise<Finding[]> {
  const { operationId } = (await network.admin.call('runDoctor', {})).body
  await network.settle()
  const [run] = await network.database.rows('select state from doctor_runs where id = $1', [operationId])
  if (JSON.stringify(run) !== '{"state":"done"}') throw new Error(`The run did not end well: ${JSON.stringify(run)}`)
  return (await network.admin.call('doctorFindings', { query: { size: 100 } })).body.data
}

export async function findingsAbout(network: Network, room: string): Promise<Finding[]> {
  return (await runDoctor(network)).filter((each) => each.projectRoomName === room)
}

export function kindsOf(findings: readonly Finding[]): string[] {
  return findings.map(({ kind }) => kind).sort()
}

export function regionAt(network: Network, index: number): RunningRegion {
  const region = network.regions[index]
  if (region === undefined) throw new Error(`There is no region ${index}.`)
  return region
}

export async function previewOf(network: Network, { id }: Finding, repair: Repair): Promise<RepairPreview> {
  const answer = await network.admin.call('repairFinding', { params: { id }, body: { repair, preview: true } })
  if (answer.status !== 200) throw new Error('A preview is answered at once.')
  return answer.body
}

/** @returns how the repair ended */
export async function repair(network: Network, { id }: Finding, wanted: Repair) {
  const answer = await network.admin.call('repairFinding', { params: { id }, body: { repair: wanted } })
  if (answer.status !== 202) throw new Error('A repair is an operation.')
  await network.settle()
  const [end] = await network.database.rows<{ state: string; error: string | null }>(
    'select state, error from operations where id = $1',
    [answer.body.operationId],
  )
  return end
}

export async function roomIdOf(network: Network, name: string): Promise<string> {
  const [row] = await network.database.rows<{ id: string }>('select id from rooms where name = $1', [name])
  if (row === undefined) throw new Error(`There is no project room ${name}.`)
  return row.id
}

/** Creates a room on a region without the console knowing of it. */
export async function makeBehindTheConsole(region: RunningRegion, name: string, roomId: string): Promise<void> {
  await region.client.createRoom(name, creation(roomId))
}

/** Makes a second copy of a room with the same content. */
export async function copyBehindTheConsole(
  from: RunningRegion,
  to: RunningRegion,
  room: { name: string; roomId: string },
): Promise<void> {
  const { name, roomId } = room
  await makeBehindTheConsole(to, name, roomId)
  const { file } = await from.client.runJob(`copy-${name}`, { type: 'backupRoom', room: name })
  const { size, sha256, content } = await from.client.getFile(file)
  const bytes = Buffer.concat(await content.toArray())
  await to.client.putFile(file, {
    size,
    sha256,
    async *open(first) {
      yield bytes.subarray(first)
    },
  })
  await to.client.runJob(`copy-${name}`, { type: 'restoreRoom', room: name, roomId, file })
}

export async function deleteBehindTheConsole(region: RunningRegion, name: string, roomId: string): Promise<void> {
  await region.client.runJob(`gone-${name}`, { type: 'deleteRoom', room: name, roomId })
}
