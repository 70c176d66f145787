/**
 * A region refuses the calls of a worker whose operation another worker has taken over. It may also refuse them when no
 * other worker has: because the region is broken or hostile, or because the console's database has lost the newest
 * fence in a failover. Only the console's own record decides.
 */
import { bootNetwork, type Network, type RunningRegion, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { interceptCalls, type PassingCall } from './migrations/intercept-calls.ts'

let network: Network
let end: () => void
/** Intercepts each call on its way to the region. */
let seen: (call: PassingCall) => unknown
beforeAll(async () => {
  network = await bootNetwork()
  end = await interceptCalls(network, 0, (call) => seen(call))
})
beforeEach(() => {
  seen = () => undefined
})
afterAll(async () => {
  await network?.stop()
  end?.()
})

const type = 'urn:roomkeeper-region:overtaken'
const overtaken = { status: 409, text: JSON.stringify({ type, title: 'x', status: 409, detail: 'Overtaken.' }) }
const isAboutJobs = ({ path }: PassingCall) => path.startsWith('/region/v1/jobs/')

async function backUp(room?: string): Promise<string> {
  const body = { projectRoomName: room ?? (await network.newRoom()), databaseName: 'main' }
  return (await network.admin.call('backupDatabase', { body })).body.operationId
}

async function operation(id: string) {
  const sql = 'select state, error, fence from operations where id = $1'
  const [row] = await network.database.rows<{ state: string; error: string; fence: number }>(sql, [id])
  if (row === undefined) throw new Error('There is no such operation.')
  return row
}

const isFailing = (id: string, undoing: boolean) =>
  until(undoing ? 'putting back fails' : 'a step fails', async () => {
    const sql =
      'select from operation_steps where operation_id = $1 and failing_since is not null and failing_undo = $2'
    return (await network.database.rows(sql, [id, undoing])).length > 0
  })

/** Makes the step seem to have been failing for longer than it is retried. */
const age = (id: string) =>
  network.database.rows(
    `update operation_steps set failing_since = failing_since - interval '20 minutes' where operation_id = $1`,
    [id],
  )

async function failedTries(id: string): Promise<number> {
  const sql = `select from operation_log where operation_id = $1 and level = 'warning'`
  return (await network.database.rows(sql, [id])).length
}

it('an operation that a region calls taken over for ever comes to an end', async () => {
  seen = (call) => (isAboutJobs(call) ? overtaken : undefined)
  const id = await backUp()
  await isFailing(id, false)
  // After a jump of the time it does not end for how long it seems to have been failing.
  await network.database.rows(`update time_looks set jumped_from = now() - interval '4 days', jumped_at = now()`)
  await age(id)
  const before = await failedTries(id)
  await until('two more tries', async () => (await failedTries(id)) > before + 1)
  await network.database.rows('update time_looks set jumped_from = null, jumped_at = null')
  await isFailing(id, true)
  await age(id)
  await network.settle()
  expect(await operation(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('the record') })
})

it('nor does it keep one from being cancelled', async () => {
  seen = (call) => (isAboutJobs(call) ? overtaken : undefined)
  const id = await backUp()
  await isFailing(id, false)
  await network.admin.call('cancelOperation', { params: { id } })
  await isFailing(id, true)
  await age(id)
  await network.settle()
  expect(await operation(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('was cancelled') })
})

it('a region that knows a later fence than the record is met by a higher one', async () => {
  const room = await network.newRoom()
  let known = 0
  seen = async (call) => {
    if (!isAboutJobs(call) || !call.body.includes(room) || known > 0) return
    const mark = { key: 'x', operation: String(call.headers['roomkeeper-operation']) }
    known = Number(call.headers['roomkeeper-fence']) + 3
    const { client } = network.regions[0] as RunningRegion
    await client.cancelJob('none', { ...mark, fence: known }).catch(() => undefined)
  }
  const id = await backUp(room)
  await network.settle()
  expect(await operation(id)).toMatchObject({ state: 'done', fence: known })
})
