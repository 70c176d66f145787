/** Scenarios for the run of a live migration and for the clean-up operations of a move, which has its own test. */
import { until } from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import { isRefusal, makeCopy } from '../migrations/call-support.ts'
import { endSessions, moveAll, newMigration, startRun, whereabouts } from '../migrations/moves.ts'
import type { Scenario } from './every-step-goes-wrong.ts'
import { writeDocuments } from './room-life.ts'
import { regionOf, type World } from './world.ts'

const away = { action: 'status', status: 503, times: 100_000 }

export function moveScenarios(world: World): Record<string, Scenario> {
  return { ...ofMovedRooms(world), ...ofRoomsThatStay(world) }
}

/** Rooms that move from region 1 to region 2. */
function ofMovedRooms(world: World): Record<string, Scenario> {
  const { network } = world
  const expectMoved = async (room: string) => {
    const { row, copies } = await whereabouts(network(), room)
    expect(row).toMatchObject({ region_id: 2, state: 'DEFAULT' })
    expect(copies[1]).toMatchObject({ state: 'active', locked: false })
  }
  const expectDone = async (room: string) => {
    await expectMoved(room)
    expect((await whereabouts(network(), room)).copies[0]).toBeNull()
  }
  const common = { prepare: () => movableRoom(world), expectDone, expectFailed: expectMoved }
  /** Starts a move. Makes such calls to the target fail until an operation of this kind has started. */
  const startWithout = (call: (room: string) => object, kind: string) => async (room: string) => {
    await network().setRegionFaults([{ ...call(room), ...away }], 1)
    await startMove(world, room)
    await until('the move is done', async () => (await operationOf(world, room, 'room.migrate'))?.state === 'done')
    await until(`${kind} has begun`, async () => (await operationOf(world, room, kind)) !== undefined)
    await network().setRegionFaults([], 1)
  }
  const resume = (room: string) => ({ method: 'POST', path: `/region/v1/rooms/${room}/resume` })
  const look = (room: string) => ({ method: 'GET', path: `/region/v1/rooms/${room}` })
  return {
    'migration.run': {
      ...common,
      start: (room) => startMove(world, room),
      expectCancelled: expectMoved,
      beginsAnew: true,
    },
    'migration.open-target': {
      ...common,
      start: startWithout(resume, 'migration.open-target'),
      othersWait: true,
      async expectFailed(room) {
        expect((await whereabouts(network(), room)).row).toMatchObject({ region_id: 2, state: 'ERROR' })
      },
      async expectCancelled(room) {
        expect((await whereabouts(network(), room)).row).toMatchObject({ region_id: 2, state: 'SUSPENDED' })
        // Otherwise the operation would wait for the end of the lock. It may have ended already.
        const id = (await operationOf(world, room, 'migration.leave-source'))?.id ?? ''
        await network()
          .admin.call('cancelOperation', { params: { id } })
          .catch((error: unknown) => {
            if (!isRefusal('operation-ended')(error)) throw error
          })
        await network().settle()
      },
    },
    'migration.leave-source': {
      ...common,
      start: startWithout(look, 'migration.leave-source'),
      expectCancelled: expectMoved,
    },
  }
}

function ofRoomsThatStay(world: World): Record<string, Scenario> {
  const { network } = world
  const expectInSource = async (room: string) => {
    const { row, copies } = await whereabouts(network(), room)
    expect(row).toMatchObject({ region_id: 1, state: 'DEFAULT' })
    expect(copies[0]).toMatchObject({ state: 'active', locked: false })
  }
  const expectDone = async (room: string) => {
    await expectInSource(room)
    expect((await whereabouts(network(), room)).copies[1]).toBeNull()
  }
  const common = { expectDone, expectFailed: expectInSource, expectCancelled: expectInSource }
  return {
    'migration.leave-target': {
      ...common,
      prepare: () => movableRoom(world),
      async start(room) {
        await network().setRegionFaults([{ method: 'PUT', path: '/region/v1/jobs/', ...away }], 1)
        await startMove(world, room)
        const move = () => operationOf(world, room, 'room.migrate')
        await until('the copy is made', async () => (await move())?.step === 'restore-copy')
        await network().admin.call('cancelOperation', { params: { id: (await move())?.id ?? '' } })
        await until('the move has ended', async () => (await move())?.state === 'cancelled')
        await network().setRegionFaults([], 1)
      },
    },
    'migration.force-delete': {
      ...common,
      async prepare() {
        const room = await movableRoom(world)
        await copyBehindTheMove(world, room)
        await moveAll(network(), { migrationId: await newMigration(network()), rooms: [room] })
        return room
      },
      async start(room) {
        const [entry] = await network().database.rows<{ migration: number }>(
          'select migration_id as migration from live_migration_states where room_name = $1',
          [room],
        )
        const body = { projectRoomNames: [room], liveMigrationDataID: entry?.migration ?? 0 }
        return network().admin.call('forceDeleteFailedRooms', { body })
      },
    },
  }
}

/** A room without open sessions, which can be moved. */
async function movableRoom({ network }: World): Promise<string> {
  await network().database.rows(`update forced_deletions set ended_at = now() - interval '1 hour'`)
  const room = await network().newRoom()
  await writeDocuments(network(), room, { one: 'from a user' })
  await endSessions(network(), room)
  return room
}

async function startMove({ network }: World, room: string): Promise<void> {
  await startRun(network(), { migrationId: await newMigration(network()), rooms: [room] })
}

/** Makes a copy in the target, such as an earlier move may have left there. */
async function copyBehindTheMove(world: World, room: string): Promise<void> {
  const source = await regionOf(world, 1).client.room(room)
  await makeCopy(regionOf(world, 2), room, source?.roomId ?? '')
}

async function operationOf({ network }: World, room: string, kind: string) {
  const [row] = await network().database.rows<{ id: string; state: string; step: string | null }>(
    `select id, state, step_id as step from operations where room_name = $1 and kind = $2
      order by created_at desc limit 1`,
    [room, kind],
  )
  return row
}
