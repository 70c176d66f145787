/**
 * How long transient failures are retried: 15 minutes from the first of an unbroken series. What has to be over is aged
 * by 20, because the steady time may be a minute late.
 */
import { administrator, signIn, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createFixtureWorld, type FixtureWorld, type Worker } from './fixture-operations/fixture-world.ts'

let world: FixtureWorld
const workers: Worker[] = []
beforeAll(async () => {
  world = await createFixtureWorld()
})
afterEach(async () => {
  await Promise.all(workers.splice(0).map((each) => each.stop('SIGKILL')))
})
afterAll(() => world?.stop())

describe('a step that fails for a reason that may pass', () => {
  it('is tried again although it had worked for longer than 15 minutes before', async () => {
    const id = await begun('long work')
    await kill()
    await world.database.rows(
      `update operation_steps set started_at = started_at - interval '20 minutes' where operation_id = $1 and state = 'running'`,
      [id],
    )
    await startWorker()
    await tell(id, 'fail')
    await tell(id, 'succeed')
    await world.settle()
    expect(await world.state(id)).toEqual({ state: 'done', error: null })
  })

  // shows: operations-15-minutes
  it('is tried again for 15 minutes from its first failure, and then fails for that reason', async () => {
    const id = await begun('limit')
    await tell(id, 'fail')
    await age(id, 14)
    await tell(id, 'fail')
    await age(id, 6)
    await tell(id, 'fail')
    await world.settle()
    expect(await world.state(id)).toEqual({ state: 'failed', error: 'It may pass.' })
    expect(await world.effects(id)).toEqual(['first', 'undo second', 'undo first', 'failed, put back'])
  })

  it('counts from its first failure also when another worker has taken it over', async () => {
    const id = await begun('taken over')
    await tell(id, 'fail')
    await kill()
    await age(id, 20)
    await startWorker()
    await tell(id, 'fail')
    await world.settle()
    expect(await world.state(id)).toEqual({ state: 'failed', error: 'It may pass.' })
  })

  it('has its whole time again once it has got further than before, and not for getting as far again', async () => {
    const id = await begun('further')
    await tell(id, 'fail 0.4')
    await age(id, 20)
    await tell(id, 'fail 0.5')
    await age(id, 10)
    await kill()
    await startWorker()
    await tell(id, 'fail 0.5')
    await age(id, 10)
    await tell(id, 'fail 0.5')
    await world.settle()
    expect(await world.state(id)).toEqual({ state: 'failed', error: 'It may pass.' })
  })

  it('has its whole time again once a hundredth more is done, bit by bit too, and not for less', async () => {
    const slow = await begun('slow')
    await tell(slow, 'fail 0.4')
    await age(slow, 10)
    await tell(slow, 'fail 0.406')
    await age(slow, 4)
    await tell(slow, 'fail 0.412')
    await age(slow, 14)
    await tell(slow, 'fail 0.412')
    await tell(slow, 'succeed')
    await world.settle()
    expect(await world.state(slow)).toEqual({ state: 'done', error: null })
    const creeping = await begun('creeping')
    await tell(creeping, 'fail 0.4')
    await age(creeping, 10)
    await tell(creeping, 'fail 0.404')
    await age(creeping, 10)
    await tell(creeping, 'fail 0.408')
    await world.settle()
    expect(await world.state(creeping)).toEqual({ state: 'failed', error: 'It may pass.' })
  })

  it('has its whole time again after a retry by hand', async () => {
    const worker = await startWorker({ PROCESS: 'all' })
    const id = await begun('retried')
    await tell(id, 'fail')
    await age(id, 20)
    await tell(id, 'fail')
    await world.settle()
    expect((await world.state(id)).state).toBe('failed')
    const { address } = worker.ready as { address: string }
    const admin = await signIn(() => address, administrator)
    await admin.call('retryOperation', { params: { id } })
    await until('it is at its second step', async () => (await world.effects(id)).at(-1) === 'first')
    await tell(id, 'fail')
    await tell(id, 'succeed')
    await world.settle()
    expect(await world.state(id)).toEqual({ state: 'done', error: null })
  })
})

it('an undo is tried again for 15 minutes from its first failure, whichever worker does it', async () => {
  await startWorker()
  const input = { failsAt: 'second', triesAt: 'undo first' }
  const id = await world.begin({ input, subject: 'undo' })
  await tell(id, 'fail')
  await kill()
  await age(id, 20)
  await startWorker()
  await tell(id, 'fail')
  await world.settle()
  expect(await world.effects(id)).toEqual(['first', 'second', 'undo second', 'failed, not put back'])
})

/** Starts an operation whose step `second` obeys the test's commands. */
async function begun(subject: string): Promise<string> {
  if (workers.length === 0) await startWorker()
  const id = await world.begin({ input: { triesAt: 'second' }, subject })
  await until('it is at its second step', () => world.isAt(id, 'second'))
  return id
}

/** Commands the try, then waits until it has failed and is due again, or until the operation has ended. */
async function tell(id: string, what: string): Promise<void> {
  const before = await failures(id)
  const [row] = await world.database.rows<{ subject: string }>(
    'select room_name as subject from operations where id = $1',
    [id],
  )
  await world.sign(`try ${row?.subject} ${what}`)
  await until(`it was told to ${what}`, async () => {
    const { state } = await world.state(id)
    return (await failures(id)) > before || ['done', 'failed'].includes(state)
  })
}

async function failures(id: string): Promise<number> {
  const [row] = await world.database.rows<{ n: number }>(
    `select count(*)::int as n from operation_log where operation_id = $1 and text like '%It may pass.%'`,
    [id],
  )
  return row?.n ?? 0
}

/** Moves the first failure back in time. Each try waits for a command, so none is in progress. */
async function age(id: string, minutes: number): Promise<void> {
  await world.database.rows(
    `update operation_steps set failing_since = failing_since - make_interval(mins => $2) where operation_id = $1`,
    [id, minutes],
  )
}

async function startWorker(env: Record<string, string> = {}): Promise<Worker> {
  const worker = await world.worker(env)
  workers.push(worker)
  return worker
}

async function kill(): Promise<void> {
  await Promise.all(workers.splice(0).map((each) => each.stop('SIGKILL')))
}
