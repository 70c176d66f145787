/**
 * Operations that an earlier release, in which steps had no ids, started and left open. From its tables and rows they
 * continue at the right step, with the outputs of the earlier steps.
 */
import { bootNetwork, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { regionAt } from './doctor/run-doctor.ts'
import { takeBackStepIds } from './earlier-release.ts'
import { wholeRoom, writeDocuments } from './life/room-life.ts'
import { endSessions, newMigration, startRun, whereabouts } from './migrations/moves.ts'
import { serverKilled } from './server-killed.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { WORKER_LEASE_SECONDS: '3', KEEP_DELETED_DAYS: '0' } })
})
afterAll(() => network?.stop())

it('a backup goes on with the file that its region had made', async () => {
  const room = await network.newSuspendedRoom()
  await network.planFault('room.backup:store-backup:before:kill')
  const started = network.admin.call('backupRoom', { query: { projectRoomName: room, isD2O: false } })
  await started.catch(() => undefined)
  await serverKilled(network)
  await makeOfEarlierRelease()
  const [made] = await stepsOf(room, 'room.backup')
  expect(made).toMatchObject({ name: 'make the backup on the region', state: 'done' })
  await network.restartServer()
  await network.settle()
  const steps = await stepsOf(room, 'room.backup')
  expect(steps[0]).toEqual(made)
  expect(steps.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done'])
  expect((await wholeRoom(network, room)).row).toMatchObject({ state: 'SUSPENDED', backups: 1 })
})

it('one that had failed shows the ids of its steps, and goes on at the right one when it is retried', async () => {
  const body = roomDraft()
  await network.planFault('room.create:check-room:before:fail')
  const { operationId } = (await network.admin.call('createRoom', { body })).body
  await network.settle()
  const before = await stepsOf(body.tenantName, 'room.create')
  expect(before.map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'open'])
  await network.server.stop()
  await makeOfEarlierRelease()
  await network.restartServer()
  const log = async () => (await network.admin.call('operationLog', { query: { processId: operationId } })).body
  const ids = ['check-name', 'create-room', 'check-room', 'tell-customers']
  expect((await log()).steps.map(({ id }) => id)).toEqual(ids)
  await network.admin.call('retryOperation', { params: { id: operationId } })
  await network.settle()
  expect((await stepsOf(body.tenantName, 'room.create')).slice(0, 2)).toEqual(before.slice(0, 2))
  expect(await log()).toMatchObject({ state: 'done', steps: ids.map((id) => ({ id })) })
})

it('a move that has switched goes on into the target', async () => {
  const room = await network.newRoom()
  await writeDocuments(network, room, { one: 'from a user' })
  await endSessions(network, room)
  const [copy] = (await whereabouts(network, room)).copies
  const migrationId = await newMigration(network)
  await network.planFault('room.migrate:switch:recorded:kill')
  await startRun(network, { migrationId, rooms: [room] })
  await serverKilled(network)
  await makeOfEarlierRelease()
  await network.restartServer()
  await network.settle()
  expect(await whereabouts(network, room)).toMatchObject({
    row: { region_id: 2, state: 'DEFAULT' },
    copies: [null, copy],
  })
})

it('what a process of the earlier release starts meanwhile has the ids of its steps', async () => {
  const room = await network.newSuspendedRoom()
  const suspension = `select id from operations where room_name = $1 and kind = 'room.suspend'`
  const steps = await network.database.rows<{ id: string }>(
    `insert into operation_steps (operation_id, position, name, state)
     select id, 7, 'tell the stakeholders', 'open' from (${suspension}) as started returning step_id as id`,
    [room],
  )
  expect(steps).toEqual([{ id: 'tell-stakeholders' }])
})

it('the step at which an operation is has the id of the title that a process of the earlier release writes', async () => {
  const room = await network.newSuspendedRoom()
  const write = (changes: string) =>
    network.database.rows<{ id: string | null }>(
      `update operations set ${changes} where room_name = $1 and kind = 'room.suspend' returning step_id as id`,
      [room],
    )
  expect(await write(`step = 'tell the stakeholders'`)).toEqual([{ id: 'tell-stakeholders' }])
  expect(await write(`step = 'make the backup on the region'`)).toEqual([{ id: 'make-backup' }])
  expect(await write(`step = 'a better title', step_id = 'make-backup'`)).toEqual([{ id: 'make-backup' }])
  expect(await write('step = null')).toEqual([{ id: null }])
})

it('the deletion of a room, and that of one whose creation is cancelled, are the jobs that the earlier release asks for', async () => {
  const room = await network.newRoom()
  const deletion = (await network.admin.call('deleteRoom', { body: { roomName: room } })).body.operationId
  await network.settle()
  expect(await jobOf(deletion, 'delete-the-room-on-the-region')).toMatchObject({ state: 'done' })
  await network.planFault('room.create:check-room:after:hold')
  const creation = (await network.admin.call('createRoom', { body: roomDraft() })).body.operationId
  await until('the room is there', () => network.faultHappened())
  await network.admin.call('cancelOperation', { params: { id: creation } })
  await network.settle()
  expect(await jobOf(creation, 'undo-create-the-room-on-the-region')).toMatchObject({ state: 'done' })
})

function jobOf(operationId: string, name: string) {
  return regionAt(network, 0).client.job(`${operationId}-1-${name}-0`)
}

it('a room is lost, or is not any more, as the text says that a process of the earlier release writes', async () => {
  const room = await network.newRoom()
  const write = (changes: string) =>
    network.database.rows<{ code: string | null }>(
      `update rooms set ${changes} where name = $1 returning error_code as code`,
      [room],
    )
  const lost = 'The region region-1 does not have the project room (any more). The copy in region-2 is kept.'
  expect(await write(`state = 'ERROR', error_message = '${lost}'`)).toEqual([{ code: 'lost' }])
  expect(await write(`state = 'ERROR', error_message = 'The backup failed.'`)).toEqual([{ code: null }])
  expect(await write(`error_message = '${lost}'`)).toEqual([{ code: 'lost' }])
  expect(await write(`state = 'DEFAULT', error_message = null`)).toEqual([{ code: null }])
})

function makeOfEarlierRelease(): Promise<void> {
  return takeBackStepIds((statement) => network.database.rows(statement))
}

function stepsOf(room: string, kind: string) {
  return network.database.rows<{ name: string; state: string; started_at: string; ended_at: string }>(
    `select name, state, started_at, ended_at from operation_steps
      where operation_id = (select id from operations where room_name = $1 and kind = $2) order by position`,
    [room, kind],
  )
}
