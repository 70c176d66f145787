/**
 * Calls that arrive after the operation that sent them has ended, or is being undone: they create no copy, remove no
 * room that has come to the region since, and open or close no room.
 */
import { randomUUID } from 'node:crypto'
import { once as event } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { roomDraft, uniqueRoomName, until } from '@roomkeeper/dev-env'
import type { RoomCreation } from '@roomkeeper/region-protocol'
import pg from 'pg'
import { expect } from 'vitest'
import {
  copyBehindTheConsole,
  deleteBehindTheConsole,
  makeBehindTheConsole,
  repair,
  roomIdOf,
  runDoctor,
} from '../../doctor/run-doctor.ts'
import { serverKilled } from '../../server-killed.ts'
import { deliver, type PassingCall } from '../intercept-calls.ts'
import { endSessions, startRun, whereabouts } from '../moves.ts'
import {
  back,
  cancel,
  faultsIn,
  forgetForceDeletes,
  heldAfter,
  intercept,
  isJob,
  killedAt,
  leaveCopyToAnOperation,
  lose,
  move,
  moveBack,
  movedButNotLeft,
  network,
  operationOf,
  overtaken,
  refusalOfRetry,
  region,
  source,
  start,
  stateOf,
  target,
  there,
  untilState,
} from './network.ts'
import { needsPerson, open, openIn, type Row } from './table.ts'

const lateCreations: readonly Row[] = [
  {
    name: 'after a copy was removed × every call that could make it comes late: refused',
    steps: [
      [
        async (room) => {
          const sent = await intercept(target)
          await leaveCopyToAnOperation(room)
          await faultsIn(target)
          await network.settle()
          await noCopy(room)
          const making = sent.filter(({ method, path }) => method === 'PUT' && path === `/region/v1/rooms/${room}`)
          expect(making.length).toBeGreaterThan(0)
          const answers = await Promise.all(making.map((call) => deliver(network, target, call)))
          expect(new Set(answers)).toEqual(new Set([overtaken]))
        },
        noCopy,
      ],
    ],
  },
  {
    name: 'migration.leave-target × killed before its removal is recorded, a copy appears: removed too',
    steps: [
      [
        async (room) => {
          await leaveCopyToAnOperation(room)
          await network.planFault('migration.leave-target:remove-copy:after:kill')
          await faultsIn(target)
          await serverKilled(network)
          await noCopy(room)
          const [left] = await network.database.rows<{ input: { creation: RoomCreation } }>(
            `select input from operations where room_name = $1 and kind = 'migration.leave-target'`,
            [room],
          )
          await region(target).client.createRoom(room, left?.input.creation as RoomCreation)
          await network.restartServer()
        },
        noCopy,
      ],
    ],
  },
  {
    name: 'compare-copies × the move comes back with a restored dump, and fails: its copy is removed',
    steps: [
      [
        async (room) => {
          await killedAt('compare-copies:after', room)
          // As in deploy/after-restore.sql, so that regions do not mistake the move's calls for earlier ones.
          await network.database.rows(`update operations set fence = fence + 1000000 where room_name = $1`, [room])
          await network.planFault('room.migrate:compare-copies:after:fail')
          await network.restartServer()
          await untilState(room, 'failed')
          // The undo itself has removed it, not an operation afterwards.
          await noCopy(room)
        },
        noCopy,
      ],
    ],
  },
  {
    name: 'creation of a room × cancelled, and its call comes right after the removal: refused',
    steps: [[creationCancelled]],
  },
]

const lateRemovals: readonly Row[] = [
  {
    name: 'removal of a copy × its answer is lost, the room moves there, the call comes late: the room stays',
    steps: [
      [
        async (room) => {
          // One removal by the undo, and one by the operation that takes over the removal.
          const lost = await whileLost(2, async () => {
            await network.planFault('room.migrate:compare-copies:after:fail')
            await move(room)
          })
          await noCopy(room)
          await expectMovedAndKept(room, lost)
        },
      ],
    ],
  },
  {
    name: 'removal of a copy × cancelled while the region is away, the call comes late: the room stays',
    steps: [
      [
        async (room) => {
          const lost: PassingCall[] = []
          let isAway = true
          // One removal by the undo. From the next removal, by the operation that takes over, no call reaches the target.
          await intercept(target, (call) => {
            if (!isAway) return
            if (lost.length < 2 && isRemoval(call)) lost.push(call)
            else if (lost.length < 2) return
            return 'lost'
          })
          await network.planFault('room.migrate:compare-copies:after:fail')
          await start(room)
          await until('two operations have tried to remove the copy', async () => lost.length === 2)
          await cancelFollowUp(room, 'migration.leave-target')
          isAway = false
          await removeAbandonedCopy(target, room)
          await network.settle()
          await expectMovedAndKept(room, lost)
        },
      ],
    ],
  },
  {
    name: 'removal by the doctor × its answer is lost, the call comes late: the room stays',
    steps: [
      [
        async (room) => {
          const roomId = await roomIdOf(network, room)
          await copyBehindTheConsole(region(source), region(target), { name: room, roomId })
          const finding = (await runDoctor(network)).find((each) => each.projectRoomName === room)
          if (finding === undefined) throw new Error('The copy was not found.')
          const lost = await whileLost(1, async () => {
            expect(await repair(network, finding, 'remove-copy')).toMatchObject({ state: 'done' })
          })
          await expectMovedAndKept(room, lost)
        },
      ],
    ],
  },
  {
    name: 'removal of the source × handed over and cancelled, the call comes late: the room that is back stays',
    steps: [
      [
        async (room) => {
          const lost: PassingCall[] = []
          let isAway = true
          // From the first removal on, no call reaches the source.
          await intercept(source, (call) => {
            if (!isAway || (lost.length === 0 && !isRemoval(call))) return
            lost.push(call)
            return 'lost'
          })
          await start(room)
          await untilState(room, 'running', 'migration.leave-source')
          await cancelFollowUp(room, 'migration.leave-source')
          isAway = false
          await removeAbandonedCopy(source, room)
          await network.settle()
          await moveBack(room)
          const before = await whereabouts(network, room)
          expect(before).toMatchObject({ row: { region_id: 1 }, copies: [{ state: 'active' }, null, null] })
          const removals = lost.filter(isRemoval)
          expect(removals.length).toBeGreaterThan(0)
          for (const call of removals) expect(await deliver(network, source, call)).toBe(overtaken)
          expect(await whereabouts(network, room)).toEqual(before)
        },
      ],
    ],
  },
  ...(
    [
      ['held, and the region can be reached', { isAway: false, age: '0 days' }],
      ['lost, and nothing comes to the region any more', { isAway: true, age: '0 days' }],
      ['lost, days after it had begun, and there is no record of that', { isAway: true, age: '3 days' }],
    ] as const
  ).map(
    ([how, given]): Row => ({
      name: `force delete × cancelled while its call is ${how}, the call comes late: the room stays`,
      steps: [[(room) => forceDeleteCancelled(room, given)]],
    }),
  ),
  {
    name: 'leave-source × cancelled, and a removal is still on its way: the source refuses it',
    steps: [[leavingCancelled]],
  },
  {
    name: 'leave-source × Retry while the room is about to move back: refused',
    steps: [[retriedDuringMoveBack, openIn(1), openInSource]],
  },
  {
    name: 'compare-copies × the target has accepted a removal before: its copy counts only when that has ended',
    steps: [[removalAccepted, needsPerson(1, 'Neither region-1 nor region-2 has the project room.')]],
    isGone: true,
  },
]

const callsOfEndedMoves: readonly Row[] = (
  [
    ['was undone', 'switch:before:fail'],
    ['has moved its room', null],
  ] as const
).map(
  ([how, fault]): Row => ({
    name: `every call × comes again when its move ${how}: neither region obeys it`,
    steps: [
      [
        async (room) => {
          if (fault !== null) await network.planFault(`room.migrate:${fault}`)
          const sent = [await intercept(source), await intercept(target)]
          await move(room)
          const before = await whereabouts(network, room)
          for (const [index, calls] of sent.entries()) {
            const changing = calls.filter(
              ({ method, path }) =>
                (method === 'PUT' && !/\/(files|fences)/.test(path)) || /\/(suspend|resume)$/.test(path),
            )
            expect(changing.length).toBeGreaterThan(0)
            for (const call of changing)
              expect([call.path, await deliver(network, index, call)]).toEqual([call.path, overtaken])
          }
          expect(await whereabouts(network, room)).toEqual(before)
        },
      ],
    ],
  }),
)

export const lateCalls: readonly Row[] = [...lateCreations, ...lateRemovals, ...callsOfEndedMoves]

async function noCopy(room: string): Promise<void> {
  expect((await whereabouts(network, room)).copies[target]).toBeNull()
}

const isRemoval = (call: PassingCall) => isJob(call, 'remove')

/** Loses the first removals on their way to the target. @returns the lost calls */
async function whileLost(count: number, work: () => Promise<void>): Promise<PassingCall[]> {
  const lost: PassingCall[] = []
  await intercept(target, (call) => {
    if (!isRemoval(call) || lost.length === count) return
    lost.push(call)
    return 'lost'
  })
  await work()
  expect(lost.length).toBe(count)
  return lost
}

/** The room moves to the target again, and calls that are delivered late do not remove it. */
async function expectMovedAndKept(room: string, lost: readonly PassingCall[]): Promise<void> {
  await move(room)
  const found = await whereabouts(network, room)
  expect(found).toMatchObject({ row: { region_id: 2 }, copies: [null, { state: 'active' }, null] })
  for (const call of lost) expect(await deliver(network, target, call)).toBe(overtaken)
  expect((await whereabouts(network, room)).copies[target]).toMatchObject({ state: 'active' })
}

async function cancelFollowUp(room: string, kind: string): Promise<void> {
  await cancel(room, kind)
  await untilState(room, 'cancelled', kind)
}

/** Removes the copy that a cancelled removal has left locked. */
async function removeAbandonedCopy(index: number, room: string): Promise<void> {
  const { client } = region(index)
  const { roomId = '', lock } = (await client.room(room)) ?? {}
  await client.unlockRoom(room, { roomId, holder: lock?.holder ?? '' })
  await deleteBehindTheConsole(region(index), room, roomId)
}

async function creationCancelled(): Promise<void> {
  const body = roomDraft()
  let late: PassingCall | undefined
  let isRemoved = false
  let delivered: Promise<string | undefined> | undefined
  await intercept(source, async (call) => {
    if (call.method === 'PUT' && call.path.endsWith(`/rooms/${body.tenantName}`)) {
      late = call
      return 'lost'
    }
    // Any call after the removal: by then, the region has executed the removal.
    if (isRemoved && late !== undefined && delivered === undefined) {
      delivered = deliver(network, source, late)
      await delivered
    }
    if (call.path.includes('/jobs/') && call.body.includes('"deleteRoom"')) isRemoved = true
  })
  const { operationId } = (await network.admin.call('createRoom', { body })).body
  await until('the creation is on its way', async () => late !== undefined)
  await network.admin.call('cancelOperation', { params: { id: operationId } })
  await network.settle()
  await until('the creation has come after all', async () => delivered !== undefined)
  expect(await delivered).toBe(overtaken)
  expect(await region(source).client.room(body.tenantName)).toBeNull()
}

async function forceDeleteCancelled(room: string, { isAway, age }: { isAway: boolean; age: string }): Promise<void> {
  const roomId = await roomIdOf(network, room)
  await makeBehindTheConsole(region(target), room, roomId)
  await region(target).client.suspendRoom(room, roomId)
  await move(room)
  const lost: PassingCall[] = []
  const held = Promise.withResolvers<'lost'>()
  let isFaultOver = false
  await intercept(target, (call) => {
    if (isFaultOver) return
    if (isRemoval(call) && lost.length === 0) {
      lost.push(call)
      return isAway ? 'lost' : held.promise
    }
    return isAway && lost.length > 0 ? 'lost' : undefined
  })
  const body = { projectRoomNames: [room], liveMigrationDataID: there }
  const first = (await network.admin.call('forceDeleteFailedRooms', { body })).body.operationId
  await until('it has tried to remove the copy', async () => lost.length > 0)
  await network.database.rows('update operations set executed_at = executed_at - $2::interval where id = $1', [
    first,
    age,
  ])
  await network.admin.call('cancelOperation', { params: { id: first } })
  const ofFirst = 'select state from operations where id = $1'
  await until('it is cancelled', async () => {
    const [row] = await network.database.rows<{ state: string }>(ofFirst, [first])
    return row?.state === 'cancelled'
  })
  held.resolve('lost')
  if (age !== '0 days') await network.database.rows('delete from late_calls where operation_id = $1', [first])
  isFaultOver = true
  await network.admin.call('forceDeleteFailedRooms', { body })
  await network.settle()
  await noCopy(room)
  await forgetForceDeletes()
  await expectMovedAndKept(room, lost)
}

async function leavingCancelled(room: string): Promise<void> {
  await movedButNotLeft(room)
  const { id, fence } = await operationOf(room, 'migration.leave-source')
  if (id === '') throw new Error('The source is not left by an operation of its own.')
  const [leaving] = await network.database.rows<{ input: { holder: string; roomId: string } }>(
    'select input from operations where id = $1',
    [id],
  )
  const { holder = '', roomId = '' } = leaving?.input ?? {}
  // As if an earlier try had removed the copy and its answer had been lost.
  await lose(source, room)
  await cancelFollowUp(room, 'migration.leave-source')
  await faultsIn(target)
  await moveBack(room)
  expect(await stateOf(room)).toMatchObject({ state: 'DEFAULT', region: 1 })
  const late = region(source).client.runJob(
    `${id}-1-remove-from-source-0`,
    { type: 'deleteRoom', room, roomId, holder },
    { key: `${id}:1:remove the room from the source`, operation: id, fence },
  )
  await expect(late).rejects.toThrow('newer worker')
  expect(await region(source).client.room(room)).not.toBeNull()
}

/** A room in the target whose source could not be cleaned up: the operation for it has failed. */
async function leftBehind(room: string): Promise<void> {
  await movedButNotLeft(room)
  const { id } = await operationOf(room, 'migration.leave-source')
  await network.planFault('migration.leave-source:remove-source:after:fail')
  await faultsIn(target)
  await untilState(room, 'failed', 'migration.leave-source')
  expect(id).not.toBe('')
  await network.settle()
}

async function retriedDuringMoveBack(room: string): Promise<void> {
  await leftBehind(room)
  await endSessions(network, room)
  const blocking = new pg.Client({ connectionString: network.database.url })
  await blocking.connect()
  await blocking.query('begin')
  // The move back has checked everything and is about to reserve capacity.
  await blocking.query('lock table capacity_reservations in share mode')
  await startRun(network, { migrationId: back, rooms: [room] })
  const blocked = `select 1 from pg_locks where not granted and relation = 'capacity_reservations'::regclass`
  await until('the move back waits', async () => (await network.database.rows(blocked)).length > 0)
  const refusal = refusalOfRetry(room, 'migration.leave-source')
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%from regions where id%for update%'`
  await until('the retry has ended, or waits for the move', async () => {
    if ((await network.database.rows(waiting)).length > 0) return true
    return (await operationOf(room, 'migration.leave-source')).state !== 'failed'
  })
  await blocking.query('commit')
  await blocking.end()
  expect(await refusal).toContain('may be in use there again')
}

async function openInSource(room: string): Promise<void> {
  expect(await region(source).client.room(room)).toMatchObject(open)
}

/** The copy may be gone any time: the target has accepted its removal, and cannot execute it yet. */
async function removalAccepted(room: string): Promise<void> {
  const sent = await intercept(target)
  await heldAfter('compare-copies', room)
  const { client } = region(target)
  const { roomId = '', lock } = (await client.room(room)) ?? {}
  const remove = { type: 'deleteRoom', room, roomId, holder: lock?.holder ?? '' } as const
  await region(source).client.runJob(`lost-${room}`, remove)
  await cancel(room)
  await network.settle()
  expect(await stateOf(room)).toMatchObject({ state: 'ERROR', region: 1 })
  const finish = await occupy(target)
  await client.startJob(`accepted-${room}`, remove)
  sent.splice(0)
  await network.admin.call('retryOperation', { params: { id: (await operationOf(room)).id } })
  await until('Retry waits for the region, or has ended', async () => {
    const isAsked = sent.some(({ path }) => path.includes('-digest-taken-'))
    return isAsked || ['cancelled', 'failed'].includes((await operationOf(room)).state ?? '')
  })
  await finish()
  await network.settle()
  expect(await client.room(room)).toBeNull()
}

/** Fills the concurrency limit for jobs of this region. @returns a function that frees it */
async function occupy(index: number): Promise<() => Promise<void>> {
  const { client } = region(index)
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await event(silent, 'listening')
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const keys = { accessKey: 'key', secretKey: 'secret', sessionToken: null }
  const place = { endpoint, region: 'eu-1', bucket: 'backups', key: 'file', ...keys }
  const rooms = Array.from({ length: 4 }, uniqueRoomName)
  for (const room of rooms) {
    await makeBehindTheConsole(region(index), room, randomUUID())
    await client.startJob(`long-${room}`, { type: 'backupToObjectStore', room, target: place })
    await until('it runs', async () => (await client.job(`long-${room}`)).state === 'running')
  }
  return async () => {
    for (const room of rooms) await client.cancelJob(`long-${room}`)
    silent.close()
    silent.closeAllConnections()
  }
}
