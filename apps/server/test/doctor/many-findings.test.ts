/** A run of the doctor over many findings: no statement changes all of them, and one that is too slow is a failure. */
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { roomIdOf, runDoctor } from './run-doctor.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 1, env: { DATABASE_TIMEOUT_SECONDS: '4' } })
})
afterAll(() => network?.stop())

it('closes findings about backups a few at a time, and the last backups are right again', async () => {
  const { rows } = network.database
  const names = [await network.newRoom(), await network.newRoom()]
  for (const name of names) {
    const roomId = await roomIdOf(network, name)
    // In a bucket whose keys the console does not have, so that nothing is known about the files.
    await rows(
      `insert into room_backups (id, room_id, room_name, kind, location, size, sha256, created_at)
       select gen_random_uuid(), $1, $2, 'd2o', 's3://elsewhere/' || n, 1, '', '2026-01-01'::timestamptz + n * interval '1 minute'
         from generate_series(1, 300) as n`,
      [roomId, name],
    )
  }
  await rows(
    `insert into doctor_findings (key, kind, severity, section, room_id, room_name, subject, run_id)
     select id::text, 'backup-missing', 'error', 'backups', room_id, room_name, id::text, gen_random_uuid() from room_backups`,
  )
  await rows(`create function refuse_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from changed) > 200 then raise 'A test refuses so many rows at once.'; end if;
      return null;
    end $$`)
  await rows(`create trigger refuse_many after update on doctor_findings referencing new table as changed
                for each statement execute function refuse_many()`)
  const backedUp = () => rows(`select from rooms where last_backup_at > '2026-01-01'`)
  expect(await backedUp()).toEqual([])
  expect(await runDoctor(network)).toEqual([])
  expect(await rows('select from doctor_findings where closed_at is null')).toEqual([])
  expect(await backedUp()).toHaveLength(2)
})

it('counts a statement that the database ends as a failure of its step, which has a limit', async () => {
  const blocking = new pg.Client({ connectionString: network.database.url })
  await blocking.connect()
  await blocking.query('begin; lock table room_months in access exclusive mode')
  const { operationId } = (await network.admin.call('runDoctor', {})).body
  const failing = `select from operation_steps where operation_id = $1 and failing_since is not null`
  await until('its step fails', async () => (await network.database.rows(failing, [operationId])).length > 0)
  await blocking.query('rollback')
  await blocking.end()
  await network.settle()
  const [run] = await network.database.rows('select state from doctor_runs where id = $1', [operationId])
  expect(run).toEqual({ state: 'done' })
})
