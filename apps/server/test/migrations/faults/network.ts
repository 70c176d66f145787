/** The network of the tests of faults, and the actions and faults that their tables are made of. */
import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { bootNetwork, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import { type Written, write } from '../../chaos/real-room.ts'
import { writeDocuments } from '../../life/room-life.ts'
import { serverKilled } from '../../server-killed.ts'
import { interceptCalls, type PassingCall } from '../intercept-calls.ts'
import { endSessions, moveAll, newMigration, startRun } from '../moves.ts'

export let network: Network
/** The configurations of moves from region 1 to region 2, and back. */
export let there: number
export let back: number
export const source = 0
export const target = 1
export const overtaken = 'urn:roomkeeper-region:overtaken'

export async function setUp(): Promise<void> {
  network = await bootNetwork({
    regions: 3,
    env: { WORKER_LEASE_SECONDS: '3' },
  })
  there = await newMigration(network)
  back = await newMigration(network, { sourceRegion: 2, targetRegion: 1 })
}

const proxies: (() => void)[] = []

/** Removes all faults, so that the next row starts in the same state as the first one. */
export async function clearFaults(): Promise<void> {
  for (const index of network.regions.keys()) await network.setRegionFaults([], index)
  for (const { url, name } of network.regions)
    await network.database.rows('update regions set url = $1 where name = $2', [url, name])
  for (const end of proxies.splice(0)) end()
  await forgetForceDeletes()
}

/** Without this, nothing can be moved to a region for 20 minutes after a force delete. */
export const forgetForceDeletes = () => network.database.rows('delete from forced_deletions')

export async function tearDown(): Promise<void> {
  await network?.stop()
}

export function region(index: number): RunningRegion {
  const found = network.regions[index]
  if (found === undefined) throw new Error(`There is no region ${index}.`)
  return found
}

export async function roomWithContent(): Promise<string> {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: { from: 'a user' } })
  await endSessions(network, room)
  return room
}

export async function change(room: string, how: 'suspendRoom' | 'resumeRoom'): Promise<void> {
  await network.admin.call(how, { body: { roomName: room, userNotification: false } })
  const wanted = how === 'suspendRoom' ? 'SUSPENDED' : 'DEFAULT'
  await until(`the room is ${wanted}`, async () => (await stateOf(room)).state === wanted)
}

/** Where and in which state the console shows the room, and its error. */
export async function stateOf(room: string) {
  const { body } = await network.admin.call('room', { query: { projectRoom: room } })
  const [row] = await network.database.rows<{ error: string | null }>(
    'select error_message as error from rooms where name = $1',
    [room],
  )
  return { state: body.projectRoomState, region: body.region, error: row?.error ?? null }
}

/** The room's newest operation of this kind. */
export async function operationOf(room: string, kind = 'room.migrate') {
  const [row] = await network.database.rows<{
    id: string
    state: string
    step: string | null
    fence: number
    error: string | null
  }>(
    `select id, state, step_id as step, fence, error from operations where room_name = $1 and kind = $2
      order by created_at desc limit 1`,
    [room, kind],
  )
  return row ?? { id: '', state: null, step: null, fence: 0, error: null }
}

export function untilState(room: string, state: string, kind?: string): Promise<void> {
  return until(`${kind ?? 'the move'} is ${state}`, async () => (await operationOf(room, kind)).state === state)
}

export function untilStep(room: string, step: string): Promise<void> {
  return until(`the move is at "${step}"`, async () => (await operationOf(room)).step === step)
}

export async function cancel(room: string, kind?: string): Promise<void> {
  await network.admin.call('cancelOperation', { params: { id: (await operationOf(room, kind)).id } })
}

export async function retry(room: string, kind?: string): Promise<void> {
  await network.admin.call('retryOperation', { params: { id: (await operationOf(room, kind)).id } })
  await network.settle()
}

/** @returns why the retry was refused */
export function refusalOfRetry(room: string, kind?: string): Promise<string> {
  return retry(room, kind).then(
    () => 'taken',
    (error: Error) => error.message,
  )
}

export async function logOf(room: string, kind: string): Promise<string[]> {
  const lines = await network.database.rows<{ text: string }>(
    `select l.text from operation_log l join operations o on o.id = l.operation_id
      where o.room_name = $1 and o.kind = $2`,
    [room, kind],
  )
  return lines.map(({ text }) => text)
}

export const start = (room: string) => startRun(network, { migrationId: there, rooms: [room] })
/** Moves the room to region 2 and waits until every operation has ended. */
export const move = (room: string) => moveAll(network, { migrationId: there, rooms: [room] })
export const moveBack = (room: string) => moveAll(network, { migrationId: back, rooms: [room] })

/** Starts a move that waits after the work of this step until it is cancelled. */
export async function heldAfter(step: string, room: string): Promise<void> {
  await network.planFault(`room.migrate:${step}:after:hold`)
  await start(room)
  await until(`the step ${step} is held`, () => network.faultHappened())
}

/** Starts a move whose server is killed at this point. */
export async function killedAt(point: string, room: string): Promise<void> {
  await network.planFault(`room.migrate:${point}:kill`)
  await start(room)
  await serverKilled(network)
}

export const away = { action: 'status', status: 503, times: 100_000 }
export const gone = { action: 'status', status: 404, times: 100_000 }
export const jobs = { method: 'PUT', path: '/region/v1/jobs/' }
export const look = (room: string) => ({ method: 'GET', path: `/region/v1/rooms/${room}` })

export const faultsIn = (index: number, ...rules: object[]) => network.setRegionFaults(rules, index)

/** Cancels a move whose undo can do nothing in the target, so that an operation takes over the copy's removal. */
export async function leaveCopyToAnOperation(room: string): Promise<void> {
  await faultsIn(target, { ...jobs, ...away })
  await start(room)
  await untilStep(room, 'restore-copy')
  await cancel(room)
  await untilState(room, 'cancelled')
}

/** Moves the room and leaves its source to an operation that cannot look into the target. */
export async function movedButNotLeft(room: string): Promise<void> {
  await faultsIn(target, { ...look(room), ...away })
  await start(room)
  await untilState(room, 'done')
}

/** Deletes the room from a region as if it had never been there. */
export async function lose(index: number, room: string): Promise<void> {
  const { client } = region(index)
  const { roomId = '', lock } = (await client.room(room)) ?? {}
  const holder = lock == null ? {} : { holder: lock.holder }
  await client.runJob(`lose-${randomUUID()}`, { type: 'deleteRoom', room, roomId, ...holder })
}

/** Ends the lock as if a minute had passed since its last renewal. */
export async function endLock(index: number, room: string): Promise<void> {
  const { client } = region(index)
  const { roomId, lock } = (await client.room(room)) ?? {}
  if (roomId === undefined || lock == null) throw new Error(`${room} is not locked.`)
  await client.unlockRoom(room, { roomId, holder: lock.holder })
}

export async function openTarget(room: string): Promise<void> {
  await endLock(target, room)
  const { client } = region(target)
  await client.resumeRoom(room, (await client.room(room))?.roomId ?? '')
}

export function writeLate(index: number, room: string): Promise<Written> {
  return write(region(index), room, 'late', 'by a user')
}

/** The documents in the file of the room's database. */
export function documentsIn(index: number, room: string): string[] {
  const path = `${region(index).dataDir}/rooms/${room}/databases/main.db`
  const file = new DatabaseSync(path, { readOnly: true })
  const rows = file.prepare('select id from documents order by id').all() as { id: string }[]
  file.close()
  return rows.map(({ id }) => id)
}

/** @param seen as for interceptCalls, until the row is over @returns the calls that were sent to the region */
export async function intercept(
  index: number,
  seen: (call: PassingCall) => unknown = () => undefined,
): Promise<PassingCall[]> {
  const sent: PassingCall[] = []
  const end = await interceptCalls(network, index, (call) => {
    sent.push(call)
    return seen(call)
  })
  proxies.push(end)
  return sent
}

/** Runs `happens` once, and holds every call that fits until it is done. */
export function once(fits: (call: PassingCall) => boolean, happens: () => Promise<unknown>) {
  let happened: Promise<unknown> | null = null
  return async (call: PassingCall): Promise<void> => {
    if (!fits(call)) return
    happened ??= happens()
    await happened
  }
}

export const isJob = (call: PassingCall, name: string) =>
  call.method === 'PUT' && call.path.startsWith('/region/v1/jobs/') && call.path.includes(`-${name}-`)

export const isChangeOf = (room: string, what: string) => (call: PassingCall) =>
  call.method === 'POST' && call.path === `/region/v1/rooms/${room}/${what}`
