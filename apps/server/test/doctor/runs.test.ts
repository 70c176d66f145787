/** Runs of the doctor: it finds nothing where nothing is wrong, whatever is in progress; who runs it, and when. */
import {
  administrator,
  bootNetwork,
  callDoctor,
  enterpriseDraft,
  miningDraft,
  type Network,
  roomDraft,
  until,
} from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeDocuments } from '../life/room-life.ts'
import { newMigration, startRun } from '../migrations/moves.ts'
import { deleteBehindTheConsole, findingsAbout, kindsOf, regionAt, roomIdOf, runDoctor } from './run-doctor.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 3 })
})
afterAll(() => network?.stop())

const open = () => network.database.rows(`select id from operations where ended_at is null`)

describe('a healthy network', () => {
  // shows: doctor-healthy
  it('has no findings, with rooms of every product and in every state, and by the command neither', async () => {
    await network.newRoom()
    await network.newRoom(miningDraft({ expirationDate: '2099-12-31' }))
    await network.newRoom(enterpriseDraft())
    const suspended = await network.newSuspendedRoom()
    await network.admin.call('backupRoom', { query: { projectRoomName: suspended, isD2O: false } })
    const failing = roomDraft()
    await network.planFault('room.create:create-room:before:fail')
    await network.admin.call('createRoom', { body: failing })
    await network.settle()
    const [row] = await network.database.rows('select state from rooms where name = $1', [failing.tenantName])
    expect(row).toEqual({ state: 'ERROR' })
    const report = await callDoctor(network.settings)
    expect(report).toMatchObject({ findings: [], exitCode: 0, rooms: 5 })
  })

  it('has none while rooms move, are made, changed and written to', async () => {
    const names = await Promise.all(Array.from({ length: 6 }, () => network.newRoom()))
    const there = await newMigration(network, { parallel: true, routing: true })
    const back = await newMigration(network, { parallel: true, sourceRegion: 2, targetRegion: 1 })
    let looks = 0
    for (const id of [there, back]) {
      await startRun(network, { migrationId: id, rooms: names, skippActiveSessions: true })
      const made = roomDraft()
      await network.admin.call('createRoom', { body: made })
      const writing = writeDocuments(network, (await stayingRoom()) ?? '', { a: { text: 'x'.repeat(10_000) } })
      do {
        const { findings, exitCode } = await callDoctor(network.settings)
        expect({ findings, exitCode }).toEqual({ findings: [], exitCode: 0 })
        looks += 1
      } while ((await open()).length > 0)
      await writing
    }
    expect(looks).toBeGreaterThanOrEqual(2)
    expect(await runDoctor(network)).toEqual([])
  })
})

async function stayingRoom(): Promise<string | undefined> {
  const [row] = await network.database.rows<{ name: string }>(
    `select name from rooms where region_id = 1 and product = 'MINING' limit 1`,
  )
  return row?.name
}

describe('a region that cannot be reached', () => {
  // shows: doctor-region-away
  it('is told as such; of its rooms nothing is said, and what was found there stays', async () => {
    const gone = await network.newRoom({ region: 3 })
    await network.newRoom({ region: 3 })
    await deleteBehindTheConsole(regionAt(network, 2), gone, await roomIdOf(network, gone))
    const [before] = await findingsAbout(network, gone)
    regionAt(network, 2).child.kill('SIGKILL')
    await regionAt(network, 2).ended
    const found = await runDoctor(network)
    expect(kindsOf(found)).toEqual(['region-unreachable', 'room-missing'])
    expect(found.find(({ kind }) => kind === 'room-missing')?.id).toBe(before?.id)
    await network.restartRegion(2)
    expect(kindsOf(await runDoctor(network))).toEqual(['room-missing'])
    const closed = (await network.admin.call('doctorFindings', { query: { closed: true } })).body.data
    expect(closed[0]).toMatchObject({ kind: 'region-unreachable', closedAt: expect.any(String), repairs: [] })
    await network.admin.call('deleteRoom', { body: { roomName: gone } })
    await network.settle()
    expect(await runDoctor(network)).toEqual([])
  })

  it('that is registered twice is told once, and its rooms are not taken for copies', async () => {
    const url = regionAt(network, 0).url.replace('127.0.0.1', 'localhost')
    await network.database.rows(
      `insert into regions (name, url, user_name, password, system_password, products)
       select 'alias', $1, user_name, password, system_password, products from regions where id = 1`,
      [url],
    )
    const found = await runDoctor(network)
    expect(found.map(({ kind, facts }) => ({ kind, facts }))).toEqual([
      { kind: 'region-twice', facts: { region: 'region-1', other: 'alias' } },
    ])
    await network.database.rows(`delete from regions where name = 'alias'`)
    expect(await runDoctor(network)).toEqual([])
  })
})

describe('a run', () => {
  it('is one at a time, and can be cancelled', async () => {
    await network.planFault('doctor.run:compare-everything:after:hold')
    const { operationId } = (await network.admin.call('runDoctor', {})).body
    await expect(network.admin.call('runDoctor', {})).rejects.toMatchObject({ problem: { status: 409 } })
    await until('the run is held', () => network.faultHappened())
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await network.settle()
    const { lastRun } = (await network.admin.call('doctorFindings', {})).body
    expect(lastRun).toMatchObject({ operationId, state: 'cancelled', startedBy: administrator.email })
    expect(await runDoctor(network)).toEqual([])
  })

  it('that is requested twice with one key is the same run', async () => {
    const headers = { 'idempotency-key': 'look' }
    const first = (await network.admin.call('runDoctor', { headers })).body
    expect((await network.admin.call('runDoctor', { headers })).body).toEqual(first)
    await network.settle()
    const audited = await network.database.rows(`select actor from audit where operation_id = $1`, [first.operationId])
    expect(audited).toEqual([{ actor: administrator.email }])
  })

  it('goes on in another process when its own was killed', async () => {
    await network.planFault('doctor.run:compare-everything:after:kill')
    const { operationId } = (await network.admin.call('runDoctor', {})).body
    await network.restartServer()
    await network.settle()
    const { lastRun } = (await network.admin.call('doctorFindings', {})).body
    expect(lastRun).toMatchObject({ operationId, state: 'done' })
  })

  // shows: doctor-daily
  it('begins by itself once a day', async () => {
    await network.database.rows(`update doctor_runs set started_at = started_at - interval '25 hours'`)
    await network.server.stop()
    await network.restartServer()
    const newest = async () => (await network.admin.call('doctorFindings', {})).body.lastRun
    await until('the daily run is done', async () => {
      const run = await newest()
      return run?.startedBy === 'system' && run.state === 'done'
    })
    await network.server.stop()
    await network.restartServer()
    await network.settle()
    const [runs] = await network.database.rows(`select count(*)::int as n from doctor_runs where started_by = 'system'`)
    expect(runs).toEqual({ n: 1 })
  })

  // shows: doctor-claims
  it('tells damage of the audit trail, and operations that nobody has', async () => {
    await network.server.stop()
    await network.database.rows(`alter table audit disable trigger audit_stays`)
    await network.database.rows(`update audit set detail = 'altered' where id = 1`)
    await network.database.rows(
      `insert into operations (id, kind, version, room_name, input, state, started_by, executed_at)
       values (gen_random_uuid(), 'room.create', 1, 'nobodys', '{}', 'running', 'somebody', now() - interval '1 hour')`,
    )
    await network.database.rows(`update workers set heartbeat_at = 'epoch'`)
    const { findings, exitCode } = await callDoctor(network.settings)
    expect(exitCode).toBe(1)
    expect(kindsOf(findings)).toEqual(['audit-damaged', 'operation-unclaimed'])
  })

  it('ends with 2 when it cannot be looked', async () => {
    const settings = { ...network.settings, DATABASE_URL: 'postgres://127.0.0.1:1/none' }
    await expect(callDoctor(settings)).rejects.toThrow('could not look (2)')
  })
})
