/** A reachable database that takes too long for a statement is reported as slow, not as unreachable. */
import { administrator, type SignedInClient, signIn, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFixtureWorld, type FixtureWorld } from './fixture-operations/fixture-world.ts'

let world: FixtureWorld
let admin: SignedInClient
const somebody = async () => {
  const client = new pg.Client({ connectionString: world.database.url })
  await client.connect()
  return client
}
beforeAll(async () => {
  world = await createFixtureWorld({ DATABASE_TIMEOUT_SECONDS: '2' })
  const { address } = (await world.worker({ PROCESS: 'all' })).ready as { address: string }
  admin = await signIn(() => address, administrator)
})
afterAll(() => world?.stop())

it('a call whose statement took too long is answered with 503 and why, and can be repeated', async () => {
  const blocking = await somebody()
  await blocking.query('begin; lock table rooms in access exclusive mode')
  await expect(admin.call('listRooms', {})).rejects.toMatchObject({
    code: 'database-busy',
    problem: { status: 503, detail: 'The database took too long, so the request was ended. Please try again.' },
  })
  await blocking.query('rollback')
  await blocking.end()
  expect((await admin.call('listRooms', {})).status).toBe(200)
})

it('a call that a deadlock ended is answered with 503, and can be repeated', async () => {
  const somewhere = await somebody()
  await somewhere.query(`
    create function be_deadlocked() returns trigger language plpgsql as
      $$ begin raise exception 'deadlock detected' using errcode = 'deadlock_detected'; end $$;
    create trigger deadlocked before insert or update on maintenance execute function be_deadlocked()`)
  const change = () => admin.call('saveMaintenance', { body: { maintenanceMode: false, maintenanceMessage: 'x' } })
  await expect(change()).rejects.toMatchObject({ code: 'database-busy', problem: { status: 503 } })
  await somewhere.query('drop trigger deadlocked on maintenance')
  await somewhere.end()
  await change()
})

it('an operation waits for it as for an outage, says in its log what it waits for, and is done in the end', async () => {
  const blocking = await somebody()
  await blocking.query('begin; lock table fixture_effects in access exclusive mode')
  const id = await world.begin()
  await until('its step was ended', async () => {
    const lines = await world.database.rows<{ text: string }>(
      'select text from operation_log where operation_id = $1',
      [id],
    )
    return lines.some(({ text }) => text.startsWith('first: The database ended a statement that took too long.'))
  })
  await blocking.query('rollback')
  await blocking.end()
  await world.settle()
  expect(await world.state(id)).toEqual({ state: 'done', error: null })
})
