/** Performs the model's actions on a real project room, as operators and users do, and observes the result. */
import { setTimeout as pause } from 'node:timers/promises'
import { ProblemError } from '@roomkeeper/contract'
import { type Network, type RunningRegion, roomDraft } from '@roomkeeper/dev-env'
import { newMigration } from '../migrations/moves.ts'
import { callUntilAnswered, untilAnswered } from './repeated-calls.ts'
import { type Action, backupNumber, type Documents, otherRegion, type RoomModel } from './room-model.ts'

export type Ending = 'done' | 'failed' | 'cancelled'

/** How long an operation may take under temporary faults. */
const longestOperationSeconds = 600
const pollMilliseconds = 50

/** Performs an action other than `write`, and waits until its operation has ended, successfully or not. */
export async function perform(network: Network, name: string, room: RoomModel | null, action: Action): Promise<Ending> {
  const operationId = await startAction(network, name, room, action)
  const ending = operationId === null ? 'done' : await endOf(network, operationId)
  if (action.do !== 'move' || room === null) return ending
  // A run can succeed without moving its room.
  return (await regionOf(network, name)) === otherRegion(room.region) ? 'done' : 'failed'
}

async function regionOf(network: Network, name: string): Promise<number | undefined> {
  const [row] = await untilAnswered(() =>
    network.database.rows<{ region_id: number }>('select region_id from rooms where name = $1', [name]),
  )
  return row?.region_id
}

/** @returns the id of the operation, or null if the action is already done */
async function startAction(
  network: Network,
  name: string,
  room: RoomModel | null,
  action: Action,
): Promise<string | null> {
  const oneDatabase = { projectRoomName: name, databaseName: 'main' }
  switch (action.do) {
    case 'create': {
      const body = roomDraft({ tenantName: name, region: action.region, licenses: { YABV: action.viewers, YABD: 1 } })
      return (await callUntilAnswered(network, 'createRoom', { body })).body.operationId
    }
    case 'edit':
      return edit(network, name, action)
    case 'suspend':
      return startedBy(callUntilAnswered(network, 'suspendRoom', { body: { roomName: name, userNotification: true } }))
    case 'resume':
      return startedBy(callUntilAnswered(network, 'resumeRoom', { body: { roomName: name, userNotification: true } }))
    case 'backup':
      return startedBy(callUntilAnswered(network, 'backupRoom', { query: { projectRoomName: name, isD2O: false } }))
    case 'restore':
      return startedBy(restore(network, name, room as RoomModel, action.backup))
    case 'backupDatabase':
      return startedBy(callUntilAnswered(network, 'backupDatabase', { body: oneDatabase }))
    case 'restoreDatabase':
      return startedBy(callUntilAnswered(network, 'restoreDatabase', { body: oneDatabase }))
    case 'delete':
      return startedBy(callUntilAnswered(network, 'deleteRoom', { body: { roomName: name } }))
    case 'move': {
      const { region } = room as RoomModel
      return startMove(network, name, region, otherRegion(region))
    }
    case 'write':
      throw new Error('Documents are written by users.')
  }
}

async function startedBy(answer: Promise<{ status: number; body: object }>): Promise<string | null> {
  const { body } = await answer
  return 'operationId' in body ? String(body.operationId) : null
}

async function edit(network: Network, name: string, { company, viewers }: Extract<Action, { do: 'edit' }>) {
  const { body } = await untilAnswered(() => network.admin.call('room', { query: { projectRoom: name } }))
  const amount = (key: string, before: number) => (key === 'YABV' ? viewers : before)
  const licensesInformation = body.licensesInformation.map((each) => ({
    ...each,
    licenseAmount: amount(each.licenseKey, each.licenseAmount),
  }))
  const sapNumberLast = body.sapNumberLast ?? `last of ${name}`
  const changed = {
    sapNumberLast,
    companyName: company,
    licenses: { ...body.licenses, YABV: viewers },
    licensesInformation,
  }
  return startedBy(callUntilAnswered(network, 'editRoom', { body: { ...body, ...changed } }))
}

/** Restores the room from its own backup, which is downloaded and uploaded again. */
async function restore(network: Network, name: string, room: RoomModel, wanted: number) {
  const content = await untilAnswered(async () => {
    const { body } = await network.admin.call('roomBackups', { query: { projectRoom: name } })
    const oldestFirst = body.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    const id = oldestFirst[backupNumber(room, wanted)]?.id ?? ''
    return new Uint8Array(await (await network.admin.open('roomBackupContent', { params: { id } })).arrayBuffer())
  })
  const file = { name: 'backup.zip', content }
  const { tmpFileName } = await untilAnswered(() => network.upload('uploadBackup', file))
  return callUntilAnswered(network, 'restoreRoom', { body: { projectRoom: { tenantName: name }, tmpFileName } })
}

/** A configuration has one run at a time, so this waits until any other run has ended. */
export async function startMove(network: Network, name: string, from: number, to: number): Promise<string> {
  const id = await configurationOf(network, from, to)
  const body = { liveMigrationData: { id }, selectedRooms: [name], skippActiveSessions: true }
  const deadline = Date.now() + longestOperationSeconds * 1000
  for (;;) {
    try {
      return (await callUntilAnswered(network, 'startLiveMigration', { body })).body.operationId
    } catch (error) {
      const isBusy = error instanceof ProblemError && error.problem.status === 409
      if (!isBusy || Date.now() > deadline) throw error
      await untilAnswered(() => network.admin.call('liveMigrations', { query: {} }))
      await pause(pollMilliseconds * 4)
    }
  }
}

const configurations = new WeakMap<Network, Map<string, Promise<number>>>()

/** The configuration for moves between these regions, created for the first one. */
async function configurationOf(network: Network, sourceRegion: number, targetRegion: number): Promise<number> {
  const known = configurations.get(network) ?? new Map<string, Promise<number>>()
  configurations.set(network, known)
  const way = `${sourceRegion} ${targetRegion}`
  const given = { sourceRegion, targetRegion, parallel: true }
  const found = known.get(way) ?? untilAnswered(() => newMigration(network, given))
  known.set(way, found)
  return found
}

/** Waits for the end of the operation, of its children and of their children. */
export async function endOf(network: Network, operationId: string): Promise<Ending> {
  const deadline = Date.now() + longestOperationSeconds * 1000
  for (;;) {
    const [row] = await untilAnswered(() =>
      network.database.rows<{ state: string; open: boolean }>(
        `with recursive family as (
           select id, ended_at from operations where id = $1
           union all select child.id, child.ended_at from operations child join family on child.parent_id = family.id
         )
         select state, exists (select from family where ended_at is null) as open from operations where id = $1`,
        [operationId],
      ),
    )
    if (row === undefined) throw new Error(`The accepted operation ${operationId} is not there.`)
    if (!row.open) return row.state as Ending
    if (Date.now() > deadline) throw new Error(`The operation ${operationId} has not ended in time: ${row.state}.`)
    await pause(pollMilliseconds)
  }
}

export type Written = 'acknowledged' | 'unknown' | 'refused'

/** Writes as a user of the room. `refused` means that the document was certainly not stored. */
export async function write(region: RunningRegion, name: string, id: string, text: string): Promise<Written> {
  let token: string
  try {
    token = (await region.client.openSession(name, 'owner@example.com')).token
  } catch {
    return 'refused'
  }
  try {
    const answer = await fetch(`${region.url}/rooms/${name}/databases/main/documents/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(text),
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
    })
    if (answer.ok) return 'acknowledged'
    return answer.status < 500 ? 'refused' : 'unknown'
  } catch {
    return 'unknown'
  }
}

/** What the console and both regions know about a room, in terms of the model. */
export async function observe(network: Network, name: string) {
  const [row] = await network.database.rows<{ state: string; region: number; company: string; viewers: number }>(
    `select state, region_id as region, company_name as company, (licences ->> 'YABV')::int as viewers
       from rooms where name = $1`,
    [name],
  )
  const regions = await Promise.all(network.regions.map((region) => observeIn(region, name)))
  return { console: row ?? null, regions }
}

async function observeIn({ client }: RunningRegion, name: string) {
  const found = await client.room(name)
  if (found === null) return null
  const licences = await client.licences(name)
  const viewers = licences.find((each) => each.licenseKey === 'YABV')?.licenseAmount
  return { state: found.state, locked: found.locked, viewers }
}

/** What `observe` should return according to the model. */
export function expected(room: RoomModel | null) {
  if (room === null) return { console: null, regions: [null, null] }
  const { state, region, company, viewers } = room
  const copy = { state: state === 'SUSPENDED' ? 'suspended' : 'active', locked: false, viewers }
  const regions = [1, 2].map((number) => (number === region ? copy : null))
  return { console: { state, region, company, viewers }, regions }
}

/** Describes the missing or wrong documents of a room, which must be active. Empty if all documents are right. */
export async function wrongDocuments(region: RunningRegion, name: string, documents: Documents): Promise<string[]> {
  const { token } = await region.client.openSession(name, 'owner@example.com')
  const wrong: string[] = []
  for (const [id, text] of documents.certain) {
    const found = await read(region, name, id, token)
    if (found !== text)
      wrong.push(`${name}: the acknowledged document ${id} ${found === null ? 'is missing' : 'differs'}`)
  }
  for (const [id, text] of documents.possible) {
    const found = await read(region, name, id, token)
    if (found !== null && found !== text) wrong.push(`${name}: the document ${id} is there, but not whole`)
  }
  return wrong
}

async function read(region: RunningRegion, name: string, id: string, token: string): Promise<string | null> {
  const answer = await fetch(`${region.url}/rooms/${name}/databases/main/documents/${id}`, {
    headers: { authorization: `Bearer ${token}` },
    redirect: 'error',
  })
  if (answer.status === 404) return null
  if (!answer.ok) throw new Error(`${name} could not be read: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as string
}
