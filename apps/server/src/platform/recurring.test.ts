/** Recurring work: never twice at once, by one process of the cluster where it says so, and for as long as it is wanted. */
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '@roomkeeper/dev-env'
import { afterEach, expect, it } from 'vitest'
import { doAlone } from '../../test/do-alone.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { openDatabase } from './database.ts'
import { createScheduler, type Scheduler } from './recurring.ts'
import { createWorkLocks } from './work-locks.ts'

const database = await createTestDatabase()
const other = openDatabase(database.url)
const logged: string[] = []
let clockIsRight = true
const schedulers: Scheduler[] = []

function newScheduler(of = database as Parameters<typeof createScheduler>[0]['database']): Scheduler {
  const note = (first: unknown, text?: string) => void logged.push(text ?? String(first))
  const log = { warn: note, info: note } as never
  const scheduler = createScheduler({ database: of, log, clock: { isRight: () => clockIsRight } })
  schedulers.push(scheduler)
  return scheduler
}

afterEach(async () => {
  for (const scheduler of schedulers.splice(0)) await scheduler.stop()
  logged.length = 0
  clockIsRight = true
})

it('runs at once and again and again, when triggered too, and never twice at once', async () => {
  let [begun, underWay, most] = [0, 0, 0]
  const scheduler = newScheduler()
  const job = scheduler.start({
    name: 'counting',
    everySeconds: 0.05,
    scope: 'process',
    async run() {
      begun += 1
      underWay += 1
      most = Math.max(most, underWay)
      await wait(20)
      underWay -= 1
    },
  })
  expect(begun).toBe(1)
  await until('it has run again', async () => begun >= 4)
  for (let n = 0; n < 10; n += 1) job.trigger()
  await until('it has run again', async () => begun >= 6)
  await job.stop()
  const atTheEnd = begun
  expect([underWay, most]).toEqual([0, 1])
  await wait(150)
  expect(begun).toBe(atTheEnd)
  expect(scheduler.tallies()).toEqual([expect.objectContaining({ name: 'counting', succeeded: atTheEnd, failed: 0 })])
})

it('a trigger during a run leads to one more', async () => {
  let begun = 0
  const gate = Promise.withResolvers<void>()
  const job = newScheduler().start({
    name: 'gated',
    everySeconds: 3600,
    scope: 'process',
    async run() {
      begun += 1
      if (begun === 1) await gate.promise
    },
  })
  job.trigger()
  job.trigger()
  expect(begun).toBe(1)
  gate.resolve()
  await until('it has run again', async () => begun === 2)
  await wait(50)
  expect(begun).toBe(2)
})

it('a failure is told once, as is its end', async () => {
  let begun = 0
  const scheduler = newScheduler()
  scheduler.start({
    name: 'stumbling',
    everySeconds: 0.01,
    scope: 'process',
    async run() {
      begun += 1
      if (begun < 5) throw new Error('not yet')
    },
  })
  await until('it has run again', async () => begun >= 7)
  expect(logged).toEqual(['stumbling failed', 'stumbling works again'])
  expect(scheduler.tallies()[0]).toMatchObject({ failed: 4 })
})

it('a process whose clock is wrong does only what does not go by it', async () => {
  clockIsRight = false
  const runs: string[] = []
  const scheduler = newScheduler()
  const start = (name: string, more: { ignoresClock?: true }) =>
    scheduler.start({ name, everySeconds: 0.01, scope: 'process', run: async () => void runs.push(name), ...more })
  start('by the clock', {})
  start('by none', { ignoresClock: true })
  await until('it has run again', async () => runs.length >= 3)
  expect(new Set(runs)).toEqual(new Set(['by none']))
  clockIsRight = true
  await until('the other runs, too', async () => runs.includes('by the clock'))
})

it('one process of the cluster does it, once in a while for all, and another one when that has ended', async () => {
  const runs: string[] = []
  const start = (process: string, of: typeof other) => {
    const scheduler = newScheduler(of)
    const run = async () => void runs.push(process)
    scheduler.start({ name: 'for all', everySeconds: 0.2, scope: 'cluster', run })
    return scheduler
  }
  const first = start('first', database)
  await until('it has run', async () => runs.length === 1)
  const began = performance.now()
  start('second', other)
  await until('it has run again', async () => runs.length >= 12)
  // The second begins with a run of its own; then there is one in each interval.
  expect(performance.now() - began).toBeGreaterThan(9 * 200 * 0.8)
  await first.stop()
  runs.length = 0
  await until('the second goes on', async () => runs.length >= 3)
  expect(new Set(runs)).toEqual(new Set(['second']))
})

it('work that hangs gives its lock up, is told, and is not begun again here', async () => {
  const locks = createWorkLocks(database)
  const end = Promise.withResolvers<void>()
  let late = 0
  const hanging = locks.runIfFree('hangs', { milliseconds: 100, onPassed: () => (late += 1) }, () => end.promise)
  await until('its time is over', async () => late === 1)
  let ran = false
  await until('another process does it', async () => {
    await doAlone(other, 'hangs', async () => {
      ran = true
    })
    return ran
  })
  end.resolve()
  await hanging
  locks.close()
})

it('while one process does it no other does, and its signal fires when it has lost its lock', async () => {
  const began = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const first = doAlone(database, 'alone', async () => {
    began.resolve()
    await mayEnd.promise
  })
  await began.promise
  let ran = false
  await doAlone(other, 'alone', async () => {
    ran = true
  })
  expect(ran).toBe(false)
  mayEnd.resolve()
  await first
  await doAlone(other, 'alone', async () => {
    ran = true
  })
  expect(ran).toBe(true)

  const lost = Promise.withResolvers<void>()
  const cut = doAlone(database, 'alone', async (signal) => {
    signal.addEventListener('abort', () => lost.resolve())
    await other.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and pid <> pg_backend_pid()`,
    )
    await lost.promise
  })
  await expect(cut).rejects.toThrow()
}, 30_000)
