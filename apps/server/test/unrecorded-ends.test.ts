/** What happens to a room if the end of its operation cannot be recorded as its kind requires. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serverKilled } from './server-killed.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork()
  await network.database.rows(`
    create function refuse_ends() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or new.state <> 'ERROR' or new.error_message = 'The result could not be recorded; the log of the server says why.'
      then raise 'A test refuses this end.'; end if;
      return new;
    end $$`)
  await network.database.rows(`
    create function refuse_all() returns trigger language plpgsql as $$
    begin raise 'A test refuses everything.'; end $$`)
})
afterAll(() => network?.stop())

it.each([
  ['suspended', 'room.suspend', 'DEFAULT'],
  ['deleted', 'room.delete', undefined],
])('a room that was being %s is an error with a reason, and its operation can be retried', async (_, kind, after) => {
  const room = await network.newRoom()
  await refuseEnds()
  await begin(kind, room)
  await network.settle()
  const found = await roomOf(room)
  expect(found).toMatchObject({ state: 'ERROR', error_message: expect.stringContaining('could not be recorded') })
  await acceptEnds()
  await network.admin.call('retryOperation', { params: { id: await operationOf(room) } })
  await network.settle()
  expect((await roomOf(room))?.state).toBe(after)
})

it('a room that nothing can be recorded for can be deleted afterwards', async () => {
  const room = await network.newRoom()
  await refuseEnds()
  await begin('room.suspend', room)
  await network.settle()
  await acceptEnds()
  await network.admin.call('deleteRoom', { body: { roomName: room } })
  await network.settle()
  expect(await roomOf(room)).toBeUndefined()
})

it('a room whose operation cannot be read any more is an error with a reason, and can be deleted', async () => {
  const room = await network.newRoom()
  await network.planFault('room.suspend:suspend-room:before:kill')
  await begin('room.suspend', room)
  await until('the server is killed', () => network.faultHappened())
  await serverKilled(network)
  await network.database.rows(`update operations set input = '{}' where id = $1`, [await operationOf(room)])
  await network.restartServer()
  await network.settle()
  expect(await roomOf(room)).toMatchObject({ state: 'ERROR', error_message: expect.stringContaining('cannot be read') })
  await network.admin.call('deleteRoom', { body: { roomName: room } })
  await network.settle()
  expect(await roomOf(room)).toBeUndefined()
})

it('an operation ends as it has, and its room too, although no webhook can be told of that', async () => {
  const hook = { name: 'Failures', url: 'https://hooks.example', events: ['operation.failed' as const], isOn: true }
  const { id } = (await network.admin.call('createWebhook', { body: hook })).body
  const room = await network.newRoom()
  await network.database.rows(`
    create trigger refuse_all before insert on webhook_deliveries for each row execute function refuse_all()`)
  await network.planFault('room.suspend:tell-stakeholders:before:fail')
  await begin('room.suspend', room)
  await network.settle()
  await network.database.rows('drop trigger refuse_all on webhook_deliveries')
  const { body } = await network.admin.call('operationLog', { query: { processId: await operationOf(room) } })
  expect(body).toMatchObject({ state: 'failed', errorText: expect.stringContaining('Something went wrong') })
  expect(await roomOf(room)).toMatchObject({ state: 'DEFAULT' })
  expect(network.server.output()).toContain('webhooks could not be told')
  await network.admin.call('deleteWebhook', { params: { id } })
})

it('an operation that cannot be read any more ends also when nothing can be recorded for its room', async () => {
  const room = await network.newRoom()
  await network.planFault('room.suspend:suspend-room:before:kill')
  await begin('room.suspend', room)
  await until('the server is killed', () => network.faultHappened())
  await serverKilled(network)
  const id = await operationOf(room)
  await network.database.rows(`update operations set input = '{}' where id = $1`, [id])
  await network.database.rows(`
    create trigger refuse_all before update of state on rooms for each row execute function refuse_all()`)
  await network.restartServer()
  await network.settle()
  await network.database.rows('drop trigger refuse_all on rooms')
  expect(await network.database.rows('select state from operations where id = $1', [id])).toEqual([{ state: 'failed' }])
})

/** Does not wait for an answer that comes only with the end of the operation, or not at all. */
async function begin(kind: string, roomName: string): Promise<void> {
  if (kind === 'room.delete') await network.admin.call('deleteRoom', { body: { roomName } })
  else void network.admin.call('suspendRoom', { body: { roomName, userNotification: false } }).catch(() => undefined)
  await until('it has begun', async () => (await operationOf(roomName, kind)) !== '')
}

async function operationOf(room: string, kind = '%'): Promise<string> {
  const [row] = await network.database.rows<{ id: string }>(
    'select id from operations where room_name = $1 and kind like $2 order by created_at desc limit 1',
    [room, kind],
  )
  return row?.id ?? ''
}

async function roomOf(name: string): Promise<{ state: string; error_message: string | null } | undefined> {
  const [row] = await network.database.rows<{ state: string; error_message: string | null }>(
    'select state, error_message from rooms where name = $1',
    [name],
  )
  return row
}

async function refuseEnds(): Promise<void> {
  await network.database.rows(`
    create trigger refuse_ends before update of state on rooms for each row
      when (old.state in ('IN_PROGRESS', 'MARKED_FOR_DELETION')) execute function refuse_ends()`)
  await network.database.rows(`
    create trigger refuse_removals before delete on rooms for each row execute function refuse_ends()`)
}

async function acceptEnds(): Promise<void> {
  await network.database.rows('drop trigger refuse_ends on rooms')
  await network.database.rows('drop trigger refuse_removals on rooms')
}
