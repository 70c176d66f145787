/** The operations engine: what happens to operations when workers, the database or answers are lost. */

import { writeFile } from 'node:fs/promises'
import { englishReasons } from '@roomkeeper/contract'
import { administrator, type FaultProxy, sampled, signIn, startFaultProxy, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endNeverRun, endOperation } from '#operations/end-operations.ts'
import { noUndo, unexpectedError } from '#operations/index.ts'
import { createLog } from '#platform/log.ts'
import { createFixtureWorld, type FixtureWorld, type Worker } from './fixture-operations/fixture-world.ts'

let world: FixtureWorld
const workers: Worker[] = []
const proxies: FaultProxy[] = []
beforeAll(async () => {
  world = await createFixtureWorld()
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((each) => each.stop('SIGKILL')))
  await Promise.all(proxies.splice(0).map((each) => each.close()))
})
afterAll(() => world?.stop())

const done = ['first', 'second', 'third', 'done']

describe('an operation that has failed', () => {
  it('is undone for the same reason by the worker that takes over in the middle of it', async () => {
    await startWorker()
    await writeFile(world.faultFile, 'fixture:first:undo:kill')
    const id = await world.begin({ input: { failsAt: 'second' } })
    await workers[0]?.ended
    await startWorker()
    await world.settle()
    expect(await world.state(id)).toEqual({ state: 'failed', error: 'It fails at second.' })
    expect(await world.effects(id)).toEqual(['first', 'second', 'undo second', 'undo first', 'failed, put back'])
  })

  it('and could not be put back is put back by Retry, and can then be retried from its beginning', async () => {
    const worker = await startWorker({ PROCESS: 'all' })
    await world.sign('keep first')
    const id = await world.begin({ input: { failsAt: 'second' } })
    await world.settle()
    await world.unsign('keep first')
    await retry(worker, id)
    await world.settle()
    expect((await world.state(id)).error).toBe('It fails at second.')
    const before = ['first', 'second', 'undo second', 'failed, not put back', 'undo first', 'failed, put back']
    expect(await world.effects(id)).toEqual(before)
    await retry(worker, id)
    await world.settle()
    expect((await world.effects(id)).slice(before.length, before.length + 2)).toEqual(['first', 'second'])
  })
})

describe('what an operation says', () => {
  // shows: operations-logs
  it('is in its log while its step still runs, and in order when it has ended', async () => {
    await startWorker()
    const id = await world.begin({ input: { waitsAt: 'second' }, subject: 'says' })
    await until('the line is there', async () => (await logOf(id)).includes('second: begins'))
    expect(await world.effects(id)).toEqual(['first'])
    await world.sign('go says')
    await world.settle()
    const steps = ['first', 'second', 'third']
    expect(await logOf(id)).toEqual(steps.flatMap((step) => [`${step}: begins`, `${step}: took effect`]))
  })

  it('is kept when the step fails, before the reason', async () => {
    await startWorker()
    const id = await world.begin({ input: { failsAt: 'first' } })
    await world.settle()
    expect(await logOf(id)).toEqual(['first: begins', 'first: took effect', 'first: It fails at first.'])
  })

  it('is kept when its worker is asked to end', async () => {
    const worker = await startWorker()
    const id = await world.begin({ input: { waitsAt: 'second' }, subject: 'ends' })
    await until('it waits', () => world.isAt(id, 'second'))
    await worker.stop('SIGTERM')
    expect((await logOf(id)).slice(0, 2)).toEqual(['first: begins', 'first: took effect'])
    await startWorker()
    await world.sign('go ends')
    await world.settle()
    expect((await world.state(id)).state).toBe('done')
    expect((await logOf(id)).at(-1)).toBe('third: took effect')
  })
})

async function logOf(operationId: string): Promise<string[]> {
  const query = 'select text from operation_log where operation_id = $1 order by n'
  return (await world.database.rows<{ text: string }>(query, [operationId])).map((line) => line.text)
}

describe('what a step has answered', () => {
  it('is read by a later one, also in another process', async () => {
    const first = await startWorker()
    const input = { reads: { at: 'third', from: 'first' }, waitsAt: 'third' }
    const id = await world.begin({ input, subject: 'reader' })
    await until('it waits at its third step', async () => (await world.effects(id)).includes('second'))
    await first.stop('SIGKILL')
    await world.sign('go reader')
    await startWorker()
    await world.settle()
    expect(await world.state(id)).toEqual({ state: 'done', error: null })
    expect(await logOf(id)).toContain('third: read first')
  })

  it.each([
    ['comes only later', 'third'],
    ['is in no operation of this kind', 'elsewhere'],
  ])('is not read of a step that %s: the operation fails', async (_, from) => {
    await startWorker()
    const id = await world.begin({ input: { reads: { at: 'second', from } } })
    await world.settle()
    expect(await world.state(id)).toEqual({ state: 'failed', error: englishReasons(unexpectedError) })
    expect(await world.effects(id)).toEqual(['first', 'undo second', 'undo first', 'failed, put back'])
  })
})

describe('an error of the database', () => {
  const databaseErrors = ['53100', '53200', '25006', '57014', '58030', '08006']
  it.each(sampled('errors of the database that are waited for', databaseErrors))(
    'of state %s is waited for, and the operation is done in the end',
    async (code) => {
      await world.database.rows('drop sequence if exists fixture_trouble')
      await world.database.rows('create sequence fixture_trouble')
      await startWorker()
      const id = await world.begin({ input: { waitsAt: 'second' }, subject: code })
      await until('it waits', () => world.isAt(id, 'second'))
      await makeTrouble(code)
      await world.sign(`go ${code}`)
      await until('the trouble was met', async () => {
        const [row] = await world.database.rows<{ n: number }>('select last_value::int as n from fixture_trouble')
        return (row?.n ?? 0) > 2
      })
      await endTrouble()
      await world.settle()
      expect(await world.state(id)).toEqual({ state: 'done', error: null })
      expect(await world.effects(id)).toEqual(done)
    },
  )

  it('that loses the answer to a commit lets no step take effect twice', async () => {
    await startWorker()
    const id = await world.begin({ input: { losesAnswerAt: 'second' } })
    await world.settle()
    expect(await world.effects(id)).toEqual(done)
    const [step] = await world.database.rows<{ output: unknown }>(
      `select output from operation_steps where operation_id = $1 and name = 'second'`,
      [id],
    )
    expect(step?.output).toEqual({ from: 'second' })
  })

  it('that loses the answer to a commit which comes about later lets no step take effect twice', async () => {
    await startWorker()
    const id = await world.begin({ input: { commitsLateAt: 'second' }, subject: 'late' })
    await until('the worker waits for the commit', async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      return (await world.database.rows(waiting)).length > 0
    })
    await world.sign('go late')
    await world.settle()
    expect(await world.effects(id)).toEqual(done)
    const [step] = await world.database.rows<{ output: unknown }>(
      `select output from operation_steps where operation_id = $1 and name = 'second'`,
      [id],
    )
    expect(step?.output).toEqual({ from: 'second', isRepeated: false })
  })
})

describe('what a worker has claimed and does not run', () => {
  it('is found by itself: the answer to its claim was lost', async () => {
    await startWorker()
    const id = await claimed('select id from workers order by started_at desc limit 1')
    await world.settle()
    expect(await world.effects(id)).toEqual(done)
  })

  it('is found by others: it lives and says that it runs something else', async () => {
    const strange = '00000000-0000-4000-8000-000000000001'
    await world.database.rows('insert into workers (id) values ($1)', [strange])
    const id = await claimed(`select '${strange}'::uuid as id`)
    await startWorker({ WORKER_LEASE_SECONDS: '2' })
    const beating = setInterval(() => {
      world.database.rows('update workers set heartbeat_at = now() where id = $1', [strange]).catch(() => undefined)
    }, 100)
    await world.settle().finally(() => clearInterval(beating))
    expect(await world.effects(id)).toEqual(done)
    await world.database.rows('delete from workers where id = $1', [strange])
  })
})

describe('a worker', () => {
  it('that is overtaken in one operation gives up that one and goes on with the others', async () => {
    const worker = await startWorker()
    const [lost, kept] = await Promise.all([
      world.begin({ input: { waitsAt: 'second' }, subject: 'overtaken' }),
      world.begin({ input: { waitsAt: 'second' }, subject: 'overtaken' }),
    ])
    for (const id of [lost, kept]) await until('it waits', () => world.isAt(id, 'second'))
    await world.database.rows('update operations set worker_id = null, fence = fence + 1 where id = $1', [lost])
    await until('it is claimed again', async () => (await fenceOf(lost)) === 3)
    await world.sign('go overtaken')
    await world.settle()
    expect(worker.child.exitCode).toBeNull()
    for (const id of [lost, kept]) expect(await world.effects(id)).toEqual(done)
    expect(await fenceOf(kept)).toBe(1)
  })

  it('gives what it runs to another at once when it is asked to end', async () => {
    const worker = await startWorker()
    const id = await world.begin({ input: { waitsAt: 'second' }, subject: 'handed over' })
    await until('it waits', () => world.isAt(id, 'second'))
    await startWorker({ WORKER_LEASE_SECONDS: '30' })
    await worker.stop()
    await until('the other one has it', async () => (await fenceOf(id)) === 2)
    await world.sign('go handed over')
    await world.settle()
    expect(await world.effects(id)).toEqual(done)
  })

  it('leaves operations with slots to others when it runs as many as it may, but not those without', async () => {
    await startWorker({ WORKER_OPERATIONS: '1' })
    const first = await world.begin({ input: { waitsAt: 'second' }, subject: 'full', region: 8 })
    await until('it waits', () => world.isAt(first, 'second'))
    const next = await world.begin({ region: 8 })
    const withoutSlot = await world.begin()
    await until('the one without a slot has ended', async () => (await world.state(withoutSlot)).state === 'done')
    await until('the next has its slot', async () => (await slotOf(next)) === true)
    expect(await fenceOf(next)).toBe(0)
    await startWorker({ WORKER_OPERATIONS: '1' })
    await until('another one has run it', async () => (await world.state(next)).state === 'done')
    const last = await world.begin({ input: { waitsAt: 'second' }, subject: 'full', region: 8 })
    await until('it waits, too', () => world.isAt(last, 'second'))
    const afterwards = await world.begin({ region: 8 })
    await until('it has its slot', async () => (await slotOf(afterwards)) === true)
    await world.sign('go full')
    await world.settle()
    for (const id of [first, next, last, afterwards]) expect(await world.effects(id)).toEqual(done)
  })

  it('keeps a quarter of what it may run free for operations that are not in the background', async () => {
    await startWorker({ WORKER_OPERATIONS: '4' })
    const waiting = { input: { waitsAt: 'second' as const }, subject: 'background', background: true }
    const background = await Promise.all([8, 9, 10, 11, 12].map((region) => world.begin({ ...waiting, region })))
    const areAt = async () =>
      (await Promise.all(background.map((id) => world.isAt(id, 'second')))).filter(Boolean).length
    await until('three of them run', async () => (await areAt()) === 3)
    const single = await world.begin({ region: 8 })
    await until('an operator need not wait', async () => (await world.state(single)).state === 'done')
    expect(await areAt()).toBe(3)
    await world.sign('go background')
    await world.settle()
    for (const id of [...background, single]) expect(await world.effects(id)).toEqual(done)
  })

  it('keeps its lease while every connection of its pool is in use', async () => {
    await startWorker()
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => world.begin({ input: { waitsInTransactionAt: 'first' }, subject: 'pool' })),
    )
    await until('all wait in transactions', async () => {
      const [row] = await world.database.rows<{ open: number }>(
        `select count(*)::int as open from pg_stat_activity
          where datname = current_database() and application_name = 'roomkeeper' and xact_start is not null`,
      )
      return (row?.open ?? 0) >= 10
    })
    const before = await heartbeats()
    for (let beats = 0, last = before; beats < 5; beats += 1) {
      await until('the heart beats', async () => (await heartbeats()) !== last)
      last = await heartbeats()
    }
    await world.sign('go pool')
    await world.settle()
    for (const id of ids) expect(await world.effects(id)).toEqual(done)
  })

  it('ends itself when the database has not answered for a whole lease', async () => {
    const { proxy, DATABASE_URL } = await newProxy()
    const worker = await startWorker({ DATABASE_URL })
    await proxy.set({ blackHole: 'everything' })
    await worker.ended
    expect(worker.child.exitCode).toBe(75)
  })
})

describe('after an outage of the database', () => {
  it('workers do not take each other for dead, and go on with what they had', async () => {
    const [one, other] = await Promise.all([newProxy(), newProxy()])
    // Long enough that the first worker to return checks the other one well before it may declare it dead.
    const env = { WORKER_LEASE_SECONDS: '8' }
    await startWorker({ ...env, DATABASE_URL: one.DATABASE_URL })
    await startWorker({ ...env, DATABASE_URL: other.DATABASE_URL })
    const ids = await Promise.all(
      Array.from({ length: 6 }, () => world.begin({ input: { waitsAt: 'second' }, subject: 'outage' })),
    )
    for (const id of ids) await until('it waits', () => world.isAt(id, 'second'))
    const before = await leases()
    await Promise.all([one, other].map(({ proxy }) => proxy.set({ refuse: true })))
    await until(
      'every lease has run out',
      async () => (await leases(`heartbeat_at < now() - interval '8 s'`)).length === 2,
    )
    await leaveGoneWorker()
    await one.proxy.set({})
    await until('the first one back has looked at all workers', async () => (await leases()).length === 2)
    await other.proxy.set({})
    await until('both beat again', async () => (await leases(`heartbeat_at > now() - interval '1 s'`)).length === 2)
    await world.sign('go outage')
    await world.settle()
    expect(await leases()).toEqual(before)
    for (const id of ids) {
      expect(await world.effects(id)).toEqual(done)
      expect(await fenceOf(id)).toBe(1)
    }
  })
})

describe('slots are free whatever ended an operation, and so are reservations for a room on its way', () => {
  const asWorker = async (id: string) => {
    await world.database.rows(
      `with begun as (update operation_steps set state = 'running' where operation_id = $1 and position = 0)
       update operations set state = 'running', fence = 1, awaits_slots = false where id = $1`,
      [id],
    )
    const end = { state: 'failed' as const, reasons: unexpectedError }
    await endOperation({ database: world.ours, log: createLog('silent') }, { operationId: id, fence: 1 }, end, noUndo)
  }
  const beforeItRan = (id: string) => world.ours.transaction((tx) => endNeverRun(tx, [id], 'cancelled'))

  it.each([
    ['its worker', asWorker],
    ['a cancellation before it ran', beforeItRan],
  ])('%s', async (_, end) => {
    const id = await world.begin({ region: 7 })
    await world.database.rows(`insert into regions (id, name, url, user_name, password, system_password, products)
      overriding system value values (7, 'seven', 'http://127.0.0.1:1', '', '', '', '{}') on conflict do nothing`)
    await world.database.rows('insert into capacity_reservations values (gen_random_uuid(), 7, $1)', [id])
    await end(id)
    const left = `select operation_id from operation_slots union all select operation_id from capacity_reservations
      union all select operation_id from operation_steps where state = 'running'
      union all select id from operations where awaits_slots`
    expect(await world.database.rows(left)).toEqual([])
  })
})

async function startWorker(env: Record<string, string> = {}): Promise<Worker> {
  const worker = await world.worker(env)
  workers.push(worker)
  return worker
}

/** @returns the proxy, and the URL of the database through it */
async function newProxy(): Promise<{ proxy: FaultProxy; DATABASE_URL: string }> {
  const url = new URL(world.database.url)
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) })
  proxies.push(proxy)
  url.host = `${proxy.host}:${proxy.port}`
  return { proxy, DATABASE_URL: url.href }
}

async function retry(worker: Worker, id: string): Promise<void> {
  const { address } = worker.ready as { address: string }
  const admin = await signIn(() => address, administrator)
  await admin.call('retryOperation', { params: { id } })
}

/** An operation that is claimed from the start. @param by an SQL statement that returns the id of the worker */
async function claimed(by: string): Promise<string> {
  const id = await world.begin({ region: 9 })
  await world.database.rows(
    `update operations set worker_id = (${by}), claimed_at = now(), state = 'running', fence = 1, awaits_slots = false where id = $1`,
    [id],
  )
  return id
}

async function makeTrouble(code: string): Promise<void> {
  await world.database.rows(`
    create or replace function fixture_trouble() returns trigger language plpgsql as $$
    begin
      perform nextval('fixture_trouble');
      raise exception 'trouble' using errcode = '${code}';
    end $$`)
  for (const table of ['operations', 'operation_steps', 'operation_log'])
    await world.database.rows(
      `create trigger fixture_trouble before insert or update on ${table} for each row execute function fixture_trouble()`,
    )
}

async function endTrouble(): Promise<void> {
  for (const table of ['operations', 'operation_steps', 'operation_log'])
    await world.database.rows(`drop trigger fixture_trouble on ${table}`)
}

/** Whether the operation has the slot that it needs. */
async function slotOf(id: string): Promise<boolean | undefined> {
  const held = 'select held from operation_slots where operation_id = $1'
  return (await world.database.rows<{ held: boolean }>(held, [id]))[0]?.held
}

async function fenceOf(id: string): Promise<number> {
  const [row] = await world.database.rows<{ fence: number }>('select fence from operations where id = $1', [id])
  return row?.fence ?? -1
}

async function heartbeats(): Promise<string> {
  const rows = await world.database.rows<{ at: string }>(
    `select extract(epoch from heartbeat_at)::text as at from workers order by id`,
  )
  return rows.map(({ at }) => at).join()
}

/** Inserts the row of a process that no longer exists, which the next worker that checks removes. */
async function leaveGoneWorker(): Promise<void> {
  await world.database.rows(
    `insert into workers (id, machine, pid, pid_began)
     select gen_random_uuid(), machine, pid, 'at another time' from workers limit 1`,
  )
}

async function leases(condition = 'true'): Promise<string[]> {
  const rows = await world.database.rows<{ id: string }>(`select id from workers where ${condition} order by id`)
  return rows.map(({ id }) => id)
}
