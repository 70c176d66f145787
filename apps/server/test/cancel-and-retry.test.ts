/** Cancelling undoes everything, at every step; retrying continues where the operation failed. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ProblemError } from '@roomkeeper/contract'
import { bootNetwork, type Network, roomDraft, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdRows } from './hold-rows.ts'
import { serverKilled } from './server-killed.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ env: { KEEP_DELETED_DAYS: '0' } })
})
afterAll(() => network?.stop())

/** The calls that the steps of a creation make, in order. */
const callsOfCreation = [
  { step: 'check the name on the region', method: 'GET', path: '', made: 0 },
  { step: 'create the room on the region', method: 'PUT', path: '', made: 1 },
  { step: 'check the room on the region', method: 'GET', path: '/licences', made: 1 },
] as const

describe('a creation that is cancelled', () => {
  // shows: C-cancelOperation, states-cancel-creation
  it.each(callsOfCreation)(
    'at "$step" leaves nothing behind, here or on the region',
    async ({ step, method, path }) => {
      const body = roomDraft()
      await setFaults([rule(body.tenantName, method, path, { action: 'hang' })])
      const { operationId } = (await network.admin.call('createRoom', { body })).body
      await until(`the creation is at "${step}"`, async () => (await operation(operationId)).step === step)
      await network.admin.call('cancelOperation', { params: { id: operationId } })
      // If the cancel comes before the call is sent, the unused fault would hit the undo or the creation below.
      await setFaults([])
      await network.settle()
      expect((await operation(operationId)).state).toBe('cancelled')
      expect(await room(body.tenantName)).toBeNull()
      expect(await network.regions[0]?.client.room(body.tenantName)).toBeNull()
      expect(await roomCount()).toBe(0)
      await network.admin.call('createRoom', { body })
      await network.settle()
      expect(await room(body.tenantName)).toMatchObject({ state: 'DEFAULT' })
      await network.admin.call('deleteRoom', { body: { roomName: body.tenantName } })
      await network.settle()
    },
  )

  it('is undone also when the server is killed while undoing', async () => {
    // An e-mail whose sender is killed is tried again only after minutes, which the tests below would wait for.
    await network.mailsTried()
    const body = roomDraft()
    await network.planFault('room.create:create-room:undo:kill')
    await setFaults([rule(body.tenantName, 'GET', '/licences', { action: 'hang' })])
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await until('the room is made', async () => (await operation(operationId)).step === 'check the room on the region')
    // The server may be killed before it has answered.
    await network.admin.call('cancelOperation', { params: { id: operationId } }).catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error
    })
    await setFaults([])
    await serverKilled(network)
    await network.restartServer()
    await network.settle()
    expect((await operation(operationId)).state).toBe('cancelled')
    expect(await room(body.tenantName)).toBeNull()
    expect(await network.regions[0]?.client.room(body.tenantName)).toBeNull()
  })

  it('while it waits in the queue ends at once', async () => {
    const blockers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const body = roomDraft()
        await setFaults([], [rule(body.tenantName, 'GET', '', { action: 'hang' })])
        return (await network.admin.call('createRoom', { body })).body.operationId
      }),
    )
    for (const id of blockers)
      await until('the places are taken', async () => (await operation(id)).state === 'running')
    const body = roomDraft()
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    expect((await operation(operationId)).state).toBe('cancelled')
    expect(await room(body.tenantName)).toBeNull()
    await Promise.all(blockers.map((id) => network.admin.call('cancelOperation', { params: { id } })))
    await setFaults([])
    await network.settle()
    await expect(network.admin.call('cancelOperation', { params: { id: operationId } })).rejects.toSatisfy(
      isRefusal('operation-ended'),
    )
  })
})

describe('a creation that failed', () => {
  // shows: C-retryOperation, states-create
  it.each(callsOfCreation)(
    'at "$step" is an error with its reason, and a retry goes on from there',
    async ({ step, method, path, made }) => {
      const body = roomDraft()
      await setFaults([rule(body.tenantName, method, path, { action: 'status', status: 400 })])
      const { operationId } = (await network.admin.call('createRoom', { body })).body
      await network.settle()
      expect(await room(body.tenantName)).toMatchObject({ state: 'ERROR' })
      expect((await room(body.tenantName))?.error_message).toBeTruthy()
      const steps = await stepsOf(operationId)
      expect(steps.find((each) => each.state === 'failed')?.name).toBe(step)
      expect(steps.filter((each) => each.state === 'done').length).toBeGreaterThanOrEqual(made)
      const log = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
      expect(log.lines.some((line) => line.level === 'error' && line.text.startsWith(step))).toBe(true)
      const linesBefore = log.lines.length
      await network.admin.call('retryOperation', { params: { id: operationId } })
      await network.settle()
      expect(await room(body.tenantName)).toMatchObject({ state: 'DEFAULT', error_message: null })
      const history = await network.admin.call('roomHistory', { query: { projectRoom: body.tenantName } })
      expect(history.body.data.map((entry) => [entry.action, entry.detail, entry.operationId])).toEqual([
        ['operation.retry', 'Create PR', operationId],
        ['room.create', null, operationId],
      ])
      const after = (
        await network.admin.call('operationLog', { query: { processId: operationId, after: linesBefore } })
      ).body
      expect(after.lines.map((line) => line.text.split(':')[0])).not.toContain(
        steps[0]?.state === 'done' ? steps[0].name : '',
      )
      expect(await mailsOf(operationId)).toBe(1)
    },
  )

  // shows: operations-retried
  it('is tried again by itself where the cause may pass', async () => {
    const body = roomDraft()
    await setFaults([rule(body.tenantName, 'PUT', '', { action: 'status', status: 503, times: 2 })])
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await network.settle()
    expect(await room(body.tenantName)).toMatchObject({ state: 'DEFAULT' })
    const { lines } = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
    expect(lines.filter((line) => line.level === 'warning' && line.text.includes('Trying again in')).length).toBe(2)
    expect(lines.map((line) => line.n)).toEqual(lines.map((_, index) => index + 1))
  })

  it('can be deleted instead, and then not be retried', async () => {
    const body = roomDraft()
    await setFaults([rule(body.tenantName, 'GET', '/licences', { action: 'status', status: 400 })])
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await network.settle()
    await network.admin.call('deleteRoom', { body: { roomName: body.tenantName } })
    await network.settle()
    expect(await room(body.tenantName)).toBeNull()
    expect(await network.regions[0]?.client.room(body.tenantName)).toBeNull()
    await expect(network.admin.call('retryOperation', { params: { id: operationId } })).rejects.toSatisfy(
      isRefusal('operation-not-retryable'),
    )
  })
})

describe('what is refused says about which room and which step it is', () => {
  it('a deletion that has begun is not cancelled: the step is named by its title and its id', async () => {
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    await network.settle()
    await setFaults([{ method: 'PUT', path: '/region/v1/jobs/', action: 'delay', milliseconds: 1000, times: 10 }])
    const { operationId } = (await network.admin.call('deleteRoom', { body: { roomName: body.tenantName } })).body
    const step = 'delete the room on the region'
    await until('it has begun', async () => (await operation(operationId)).step === step)
    await expect(network.admin.call('cancelOperation', { params: { id: operationId } })).rejects.toMatchObject({
      problem: {
        detail: "It can no longer be cancelled: 'delete the room on the region' has begun.",
        params: {
          reason: { code: 'past-return', params: { step: 'delete the room on the region', stepId: 'delete-room' } },
        },
      },
    })
    await setFaults([])
    await network.settle()
  })

  it('a retry while another operation of the room is open names the room', async () => {
    const body = roomDraft()
    await setFaults([rule(body.tenantName, 'GET', '/licences', { action: 'status', status: 400 })])
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await network.settle()
    await network.database.rows(
      `insert into operations (id, kind, version, room_id, room_name, input, state, started_by, n)
       overriding system value
       select gen_random_uuid(), 'of another version', 1, room_id, room_name, '{}', 'waiting', started_by, -n
         from operations where id = $1`,
      [operationId],
    )
    await expect(network.admin.call('retryOperation', { params: { id: operationId } })).rejects.toMatchObject({
      problem: { type: 'urn:roomkeeper:room-busy', params: { room: body.tenantName } },
    })
    await network.database.rows(`delete from operations where kind = 'of another version'`)
    await network.admin.call('deleteRoom', { body: { roomName: body.tenantName } })
    await network.settle()
  })
})

it('a retry and another operation of the room that start at the same moment do not block each other', async () => {
  const body = roomDraft()
  await setFaults([rule(body.tenantName, 'GET', '/licences', { action: 'status', status: 400 })])
  const { operationId } = (await network.admin.call('createRoom', { body })).body
  await network.settle()
  const held = await holdRows(network, 'select from rooms where name = $1 for update', [body.tenantName])
  const deleting = network.admin.call('deleteRoom', { body: { roomName: body.tenantName } })
  await held.waitsFor(1)
  const retrying = network.admin.call('retryOperation', { params: { id: operationId } }).catch((error) => error)
  await held.waitsFor(2)
  await held.release()
  expect((await deleting).status).toBe(202)
  expect(await retrying).toSatisfy(isRefusal('operation-not-retryable'))
  await network.settle()
  expect(await room(body.tenantName)).toBeNull()
})

describe('the running check', () => {
  // shows: C-isRunning
  it('turns a room whose operation is lost into an error that says what was interrupted', async () => {
    const body = roomDraft()
    await setFaults([rule(body.tenantName, 'GET', '', { action: 'hang' })])
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    const running = () => network.admin.call('isRunning', { params: { projectRoomName: body.tenantName } })
    expect((await running()).body).toBe(true)
    await until('it runs', async () => (await operation(operationId)).state === 'running')
    await network.admin.call('cancelOperation', { params: { id: operationId } })
    await setFaults([])
    await network.settle()
    await network.database.rows(`update operations set state = 'failed' where id = $1`, [operationId])
    await network.admin.call('createRoom', { body })
    await network.settle()
    await network.database.rows(`update rooms set state = 'IN_PROGRESS' where name = $1`, [body.tenantName])
    expect((await running()).body).toBe(false)
    expect((await room(body.tenantName))?.state).toBe('ERROR')
    expect((await room(body.tenantName))?.error_message).toContain('Create PR was interrupted')
  })
})

interface Rule {
  action: string
  status?: number
  times?: number
}

function rule(name: string, method: string, rest: string, more: Rule) {
  return { method, path: `/region/v1/rooms/${name}${rest}`, times: 1, ...more }
}

let kept: object[] = []
/** @param added rules to set in addition to those of earlier calls */
async function setFaults(rules: object[], added: object[] = []): Promise<void> {
  kept = added.length > 0 ? [...kept, ...added] : rules
  await network.setRegionFaults(kept)
}

function isRefusal(code: string) {
  return (error: unknown) => error instanceof ProblemError && error.code === code
}

async function operation(id: string): Promise<{ state: string; step: string | null }> {
  const [row] = await network.database.rows<{ state: string; step: string | null }>(
    'select state, step from operations where id = $1',
    [id],
  )
  if (row === undefined) throw new Error('no such operation')
  return row
}

async function room(name: string): Promise<{ state: string; error_message: string | null } | null> {
  const rows = await network.database.rows<{ state: string; error_message: string | null }>(
    'select state, error_message from rooms where name = $1',
    [name],
  )
  return rows[0] ?? null
}

function stepsOf(id: string): Promise<{ name: string; state: string }[]> {
  return network.database.rows('select name, state from operation_steps where operation_id = $1 order by position', [
    id,
  ])
}

async function roomCount(): Promise<number> {
  const [row] = await network.database.rows<{ count: number }>('select room_count as count from regions where id = 1')
  return row?.count ?? -1
}

async function mailsOf(operationId: string): Promise<number> {
  await network.mailsTried()
  const names = await readdir(join(network.dir, 'server/outbox'))
  return names.filter((name) => name.startsWith(operationId)).length
}
