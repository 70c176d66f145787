/**
 * Operations that an earlier release began and left open, before steps had ids: with its tables and its rows they go on
 * at the right step, with what the steps before it answered.
 */
import { bootNetwork, type Network } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wholeRoom, writeDocuments } from './life/room-life.ts'
import { endSessions, newMigration, startRun, whereabouts } from './migrations/moves.ts'
import { serverKilled } from './server-killed.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 2, env: { WORKER_LEASE_SECONDS: '3' } })
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

/** The tables, and so the rows, as the release had them that knew steps by their titles only. */
async function makeOfEarlierRelease(): Promise<void> {
  for (const statement of [
    'drop trigger operation_steps_id on operation_steps',
    'drop function name_step',
    'drop function step_id_of',
    'alter table operation_steps drop column step_id',
    'alter table operations drop column step_id',
    `delete from schema_changes where name like '%step-ids%'`,
  ])
    await network.database.rows(statement)
}

function stepsOf(room: string, kind: string) {
  return network.database.rows<{ name: string; state: string; started_at: string; ended_at: string }>(
    `select name, state, started_at, ended_at from operation_steps
      where operation_id = (select id from operations where room_name = $1 and kind = $2) order by position`,
    [room, kind],
  )
}
