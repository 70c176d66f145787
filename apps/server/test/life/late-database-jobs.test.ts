/** Jobs that change a database but reach their region late, or take effect although their operation has failed. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliver, interceptCalls, type PassingCall } from '../migrations/intercept-calls.ts'
import { serverKilled } from '../server-killed.ts'
import { digestOf, writeDocuments } from './room-life.ts'

let network: Network
let end: (() => void) | undefined
/** Decides what currently happens to a call on its way to the region. */
let onItsWay: (call: PassingCall) => unknown = () => undefined

beforeAll(async () => {
  network = await bootNetwork()
  end = await interceptCalls(network, 0, (call) => onItsWay(call))
})
afterAll(async () => {
  await network?.stop()
  end?.()
})

const overtaken = 'urn:roomkeeper-region:overtaken'

it('a deletion that comes to its region when it has failed deletes nothing of what was put back since', async () => {
  const { room, body } = await roomWithBackup()
  const lost: PassingCall[] = []
  onItsWay = (call) => {
    if (call.method !== 'PUT' || !call.body.includes('"deleteDatabase"')) return undefined
    lost.push(call)
    return 'lost'
  }
  const { operationId } = (await network.admin.call('deleteDatabase', { body })).body
  await giveUp(operationId)
  onItsWay = () => undefined
  expect(await endOf(operationId)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('cannot be reached'),
  })
  await network.admin.call('restoreDatabase', { body })
  await network.settle()
  await writeDocuments(network, room, { later: {} })
  const digest = await digestOf(network, room)
  expect(lost.length).toBeGreaterThan(0)
  for (const call of lost) expect(await deliver(network, 0, call)).toBe(overtaken)
  expect(await digestOf(network, room)).toBe(digest)
})

it.each([
  ['deleteDatabase', 'database.delete:delete-database', 'The region has deleted the database all the same.'],
  ['restoreDatabase', 'database.restore:restore-database', 'The region has restored the database all the same.'],
] as const)('%s that fails although its region did it says so, and can be done again', async (route, at, told) => {
  const { body } = await roomWithBackup()
  await network.planFault(`${at}:after:fail`)
  const { operationId } = (await network.admin.call(route, { body })).body
  await network.settle()
  const error = `A test made this step fail. ${told}`
  expect(await endOf(operationId)).toEqual({ state: 'failed', error })
  await network.admin.call('retryOperation', { params: { id: operationId } })
  await network.settle()
  expect(await endOf(operationId)).toEqual({ state: 'done', error: null })
})

it('says so also when another worker takes the operation over after it was found', async () => {
  const { body } = await roomWithBackup()
  const planned = Promise.withResolvers<void>()
  onItsWay = ({ method }) => (method === 'DELETE' ? planned.promise : undefined)
  await network.planFault('database.delete:delete-database:after:fail')
  const { operationId } = (await network.admin.call('deleteDatabase', { body })).body
  await until('it has failed', () => network.faultHappened())
  await network.planFault('database.delete:end:before:kill')
  planned.resolve()
  await serverKilled(network)
  await network.restartServer()
  await network.settle()
  expect(await endOf(operationId)).toMatchObject({ state: 'failed', error: expect.stringContaining('has deleted') })
})

it.each(['deleteDatabase', 'restoreDatabase', 'backupDatabase'] as const)(
  '%s whose region is away fails once, with its place free, and the first retry does it',
  async (route) => {
    const { body } = await roomWithBackup()
    let isAway = false
    onItsWay = (call) => {
      isAway ||= call.method === 'PUT' && call.path.includes('/jobs/')
      return isAway ? 'lost' : undefined
    }
    const { operationId } = (await network.admin.call(route, { body })).body
    await giveUp(operationId)
    expect(await endOf(operationId)).toEqual({
      state: 'failed',
      error: expect.stringMatching(/^The region \S+ cannot be reached \([^)]+\)\.$/),
    })
    expect(await warningsOf(operationId)).toContainEqual(expect.stringContaining('could not be seen'))
    expect(await network.database.rows('select * from operation_slots where operation_id = $1', [operationId])).toEqual(
      [],
    )
    onItsWay = () => undefined
    await network.admin.call('retryOperation', { params: { id: operationId } })
    await network.settle()
    expect(await endOf(operationId)).toEqual({ state: 'done', error: null })
  },
)

it('a project room whose region is away while it is backed up is suspended afterwards, not in error', async () => {
  const room = await network.newSuspendedRoom()
  onItsWay = (call) => (call.path.includes('/jobs/') ? 'lost' : undefined)
  const { body } = await network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
  await giveUp(body.operationId)
  onItsWay = () => undefined
  expect(await endOf(body.operationId)).toMatchObject({ state: 'failed' })
  const state = await network.database.rows('select state, error_message from rooms where name = $1', [room])
  expect(state).toEqual([{ state: 'SUSPENDED', error_message: null }])
})

async function warningsOf(operationId: string): Promise<string[]> {
  const lines = await network.database.rows<{ text: string }>(
    `select text from operation_log where operation_id = $1 and level = 'warning' order by n`,
    [operationId],
  )
  return lines.map(({ text }) => text)
}

async function roomWithBackup() {
  const room = await network.newRoom()
  await writeDocuments(network, room, { first: {} })
  const body = { projectRoomName: room, databaseName: 'main' }
  await network.admin.call('backupDatabase', { body })
  await network.settle()
  return { room, body }
}

/** Makes the step seem to have been failing for longer than it is retried. */
async function giveUp(operationId: string): Promise<void> {
  await until('it fails', async () => {
    const failing = await network.database.rows(
      `update operation_steps set failing_since = now() - interval '20 minutes'
        where operation_id = $1 and failing_since is not null returning 1`,
      [operationId],
    )
    return failing.length > 0
  })
  await network.settle()
}

async function endOf(operationId: string) {
  const [row] = await network.database.rows('select state, error from operations where id = $1', [operationId])
  return row
}
