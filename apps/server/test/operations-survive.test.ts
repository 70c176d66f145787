/** Operations that are killed at every step end as they should, and each step takes effect once. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bootNetwork, type Network, type RoomDraftGiven, roomDraft, sampled, until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serverKilled } from './server-killed.ts'
import { stepsOf } from './steps-of.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ env: { REGION_CONCURRENCY: '16' } })
})
afterAll(() => network?.stop())

function pointsOf(kind: string): string[] {
  const ofSteps = stepsOf(kind).flatMap((step) => ['before', 'after', 'recorded'].map((point) => `${step}:${point}`))
  const points = [...ofSteps, 'end:before', 'end:after'].map((point) => `${kind}:${point}`)
  return sampled(`points of ${kind} at which a server is killed`, points)
}

describe('a server killed', () => {
  // shows: operations-kill
  it.each(pointsOf('room.create'))('at %s finishes the creation after its restart, once', async (point) => {
    const body = roomDraft()
    await network.planFault(`${point}:kill`)
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await serverKilled(network)
    const madeBefore = await databaseMadeAt(body.tenantName)
    await network.restartServer()
    await network.settle()
    expect(await stateOf(body.tenantName)).toBe('DEFAULT')
    const madeAfter = await databaseMadeAt(body.tenantName)
    expect(madeAfter).not.toBeNull()
    if (madeBefore !== null) expect(madeAfter).toBe(madeBefore)
    await network.mailsTried()
    const mails = (await readdir(join(network.dir, 'server/outbox'))).filter((name) => name.startsWith(operationId))
    expect(mails).toEqual([`${operationId}-owner.eml`])
    const steps = await network.database.rows<{ state: string }>(
      'select state from operation_steps where operation_id = $1',
      [operationId],
    )
    expect(steps.map((each) => each.state)).toEqual(stepsOf('room.create').map(() => 'done'))
  })

  // shows: C-deleteRoom
  it.each(pointsOf('room.delete'))('at %s finishes the deletion after its restart', async (point) => {
    const body = roomDraft()
    await network.admin.call('createRoom', { body })
    await network.settle()
    await network.planFault(`${point}:kill`)
    await network.admin.call('deleteRoom', { body: { roomName: body.tenantName } })
    await serverKilled(network)
    await network.restartServer()
    await network.settle()
    expect(await stateOf(body.tenantName)).toBeNull()
    expect(await network.regions[0]?.client.room(body.tenantName)).toBeNull()
  })
})

describe('a mistake of ours around a step', () => {
  it.each(['before', 'recorded'])('%s its work ends the operation, which can be retried', async (point) => {
    const body = roomDraft()
    await network.planFault(`room.create:create-room:${point}:fail`)
    const { operationId } = (await network.admin.call('createRoom', { body })).body
    await network.settle()
    expect(await stateOf(body.tenantName)).toBe('ERROR')
    await network.admin.call('retryOperation', { params: { id: operationId } })
    await network.settle()
    expect(await stateOf(body.tenantName)).toBe('DEFAULT')
  })
})

describe('a region killed', () => {
  const calls = [
    ['GET', '', 'exit-before'],
    ['PUT', '', 'exit-before'],
    ['PUT', '', 'exit-after'],
    ['GET', '/licences', 'exit-before'],
  ] as const
  it.each(calls)(
    'during %s rooms/{name}%s (%s) finishes the creation when it is back',
    async (method, rest, action) => {
      const body = roomDraft()
      await network.setRegionFaults([{ method, path: `/region/v1/rooms/${body.tenantName}${rest}`, times: 1, action }])
      await network.admin.call('createRoom', { body })
      await network.regions[0]?.ended
      await network.restartRegion(0)
      await network.settle()
      expect(await stateOf(body.tenantName)).toBe('DEFAULT')
      expect((await network.regions[0]?.client.room(body.tenantName))?.databases).toEqual(['main'])
    },
  )
})

describe('several workers', () => {
  // shows: operations-takeover
  it('share the work, and one takes over from the other when it is killed', async () => {
    const second = await network.addServer({ PROCESS: 'worker' })
    const pids = [network.server.child.pid, second.child.pid]
    // The region answers late, so that both workers are in the middle of their calls for a while.
    await network.setRegionFaults([
      { method: 'PUT', path: '/region/v1/rooms/', times: 10_000, action: 'delay', milliseconds: 8000 },
    ])
    const drafts: RoomDraftGiven[] = []
    let underWay: string[][] = []
    await until('each worker is in the middle of a creation', async () => {
      const body = roomDraft()
      drafts.push(body)
      await network.admin.call('createRoom', { body })
      underWay = await Promise.all(pids.map((pid) => creationsUnderWay(pid)))
      return underWay.every(({ length }) => length > 0)
    })
    const [ofFirst = [], ofSecond = []] = underWay
    second.child.kill('SIGKILL')
    await second.ended
    await network.setRegionFaults([])
    await network.settle()
    for (const { tenantName } of drafts) expect(await stateOf(tenantName)).toBe('DEFAULT')
    expect(await timesClaimed(ofFirst)).toEqual(ofFirst.map(() => 1))
    expect(await timesClaimed(ofSecond)).toEqual(ofSecond.map(() => 2))
  })

  // shows: operations-lease
  it('never both run one operation: a worker that slept through its lease ends, and the room is whole', async () => {
    const body = roomDraft()
    // The region answers late, so that the first server is in the middle of the call when it is stopped.
    await network.setRegionFaults([
      { method: 'PUT', path: `/region/v1/rooms/${body.tenantName}`, times: 1, action: 'delay', milliseconds: 2000 },
    ])
    await network.admin.call('createRoom', { body })
    await until('the creation has reached the region', async () => (await stepOf(body.tenantName)) === 'create-room')
    network.server.child.kill('SIGSTOP')
    const second = await network.addServer()
    await network.settle()
    expect(await stateOf(body.tenantName)).toBe('DEFAULT')
    network.server.child.kill('SIGCONT')
    await network.server.ended
    expect(network.server.child.exitCode).toBe(75)
    expect(await stateOf(body.tenantName)).toBe('DEFAULT')
    await second.stop()
    await network.restartServer()
  })
})

async function stateOf(name: string): Promise<string | null> {
  const [row] = await network.database.rows<{ state: string }>('select state from rooms where name = $1', [name])
  return row?.state ?? null
}

async function stepOf(name: string): Promise<string | null> {
  const [row] = await network.database.rows<{ step: string }>(
    'select step_id as step from operations where room_name = $1',
    [name],
  )
  return row?.step ?? null
}

/** The operations of this process whose call to the region is in progress. */
async function creationsUnderWay(pid: number | undefined): Promise<string[]> {
  const rows = await network.database.rows<{ id: string }>(
    `select o.id from operations o join workers w on w.id = o.worker_id
      where w.pid = $1 and o.step_id = 'create-room' order by o.id`,
    [pid],
  )
  return rows.map(({ id }) => id)
}

async function timesClaimed(ids: readonly string[]): Promise<number[]> {
  const rows = await network.database.rows<{ fence: number }>(
    'select fence::int as fence from operations where id = any($1)',
    [ids],
  )
  return rows.map(({ fence }) => fence)
}

async function databaseMadeAt(name: string): Promise<string | null> {
  const region = network.regions[0]
  if ((await region?.client.room(name)) == null) return null
  return (await region?.client.databases(name))?.[0]?.createdAt ?? null
}
