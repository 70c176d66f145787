/** A region loses its copy of a room, or cannot be asked for it: nothing is removed that may be the only copy. */
import { DatabaseSync } from 'node:sqlite'
import { until } from '@roomkeeper/dev-env'
import type { RoomCreation } from '@roomkeeper/region-protocol'
import { expect } from 'vitest'
import { makeBehindTheConsole } from '../../doctor/run-doctor.ts'
import { endSessions, entriesOf, migrationState, whereabouts } from '../moves.ts'
import {
  away,
  cancel,
  faultsIn,
  gone,
  heldAfter,
  jobs,
  leaveCopyToAnOperation,
  logOf,
  look,
  lose,
  movedButNotLeft,
  network,
  operationOf,
  refusalOfRetry,
  region,
  retry,
  source,
  start,
  stateOf,
  target,
  there,
  untilState,
  untilStep,
  writeLate,
} from './network.ts'
import {
  anything,
  closed,
  copies,
  ended,
  entered,
  holds,
  moved,
  needsPerson,
  open,
  openIn,
  type Row,
  retried,
} from './table.ts'

const onlyInTarget = 'region-1 does not have the project room, region-2 has it'

const duringTheMove: readonly Row[] = [
  {
    name: 'restore-copy × the source loses the room: the copy is kept, and Retry finds the same',
    steps: [
      [
        async (room) => {
          await faultsIn(target, { ...jobs, ...away })
          await start(room)
          await untilStep(room, 'restore-copy')
          await lose(source, room)
          await faultsIn(target)
        },
        ended('failed'),
        copies(null, anything),
        needsPerson(
          1,
          'region-1 does not have the project room, and the copy in region-2 may not be whole.',
          'Nothing was removed.',
        ),
        entered('failed'),
      ],
      [retried, needsPerson(1), copies(null, anything)],
    ],
  },
  {
    name: 'compare-copies × the copy is written to, then cancelled: the copy is kept, the source is open',
    steps: [
      [
        async (room) => {
          await heldAfter('compare-copies', room)
          const file = new DatabaseSync(`${region(target).dataDir}/rooms/${room}/databases/main.db`)
          file.exec(`update documents set body = '{"from":"a user of the copy"}' where id = 'one'`)
          file.close()
          await cancel(room)
        },
        needsPerson(1, 'The copy in region-2 has been changed since it was compared'),
        copies(open, anything),
      ],
      [
        async (room) => {
          await lose(target, room)
          await retry(room)
        },
        ended('cancelled'),
        openIn(1),
      ],
    ],
  },
  {
    name: 'compare-copies × the source loses the room, then cancelled: Retry takes it as moved, and nothing is left',
    steps: [
      [
        async (room) => {
          await heldAfter('compare-copies', room)
          await lose(source, room)
          await cancel(room)
        },
        needsPerson(1, onlyInTarget),
      ],
      [retried, moved, entered('migrated')],
    ],
  },
  {
    name: 'compare-copies × the source loses the room, the target is away, then cancelled: waits for the target',
    steps: [
      [
        async (room) => {
          await heldAfter('compare-copies', room)
          await lose(source, room)
          await faultsIn(target, { path: '/region/v1/', ...away })
          await cancel(room)
          await until('it waits for the target, or has ended', async () => {
            const isWaiting = (text: string) => /undo: create the room.*Trying again/.test(text)
            if ((await logOf(room, 'room.migrate')).some(isWaiting)) return true
            return ['cancelled', 'failed'].includes((await operationOf(room)).state ?? '')
          })
          expect(await operationOf(room)).toMatchObject({ state: 'cancelling' })
          await faultsIn(target)
        },
        needsPerson(1, onlyInTarget),
      ],
      [retried, openIn(2)],
    ],
  },
  {
    name: 'compare-copies × the source loses the room, server killed: taken as moved once, what users wrote stays',
    steps: [
      [
        async (room) => {
          await heldAfter('compare-copies', room)
          await lose(source, room)
          // The move fails by itself when it continues.
          await network.server.stop('SIGKILL')
          await network.restartServer()
        },
        needsPerson(1),
      ],
      [retried, ended('failed'), openIn(2)],
      [
        async (room) => {
          expect(await writeLate(target, room)).toBe('acknowledged')
          await endSessions(network, room)
          // The source has the room again, as from a backup of its disk.
          await copyTo(source, room)
          expect(await refusalOfRetry(room)).toContain('has moved')
        },
        holds(target, 'late', 'one'),
        openIn(2),
      ],
    ],
  },
  {
    name: 'restore-copy × the target is killed, then cancelled: the room is free at once, the copy is removed later',
    steps: [
      [
        async (room) => {
          await faultsIn(target, { ...jobs, ...away })
          await start(room)
          await untilStep(room, 'restore-copy')
          await region(target).stop('SIGKILL')
          const { id } = await operationOf(room)
          await cancel(room)
          await untilState(room, 'cancelled')
          expect(await stateOf(room)).toEqual({ state: 'DEFAULT', region: 1, error: null })
          expect(await region(source).client.room(room)).toMatchObject(open)
          const query = { name_search: room, size: 100 }
          const ofMove = (await network.admin.call('monitoring', { query })).body.data.filter(
            (entry) => entry.operationId === id,
          )
          expect(ofMove.length).toBeGreaterThan(0)
          expect(ofMove.map((entry) => entry.state)).not.toContain('running')
          const newest = (await entriesOf(network, there)).at(-1)
          expect(newest).toMatchObject({ room_name: room, outcome: 'postponed', error: 'The move was cancelled.' })
          expect(await operationOf(room, 'migration.leave-target')).toMatchObject({ state: 'running' })
          await until('the run has ended', async () => (await migrationState(network, there))?.state !== 'RUNNING')
          await start(room)
          const { name } = region(target)
          const progress = { params: { id: there } }
          await until('the next run waits for the target', async () => {
            return (await network.admin.call('liveMigrationProgress', progress)).body?.waitsFor.includes(name) === true
          })
          // Until the copy is removed, no other copy is created there. Nothing reaches the region before it has its faults.
          await network.database.rows(`update regions set url = 'http://127.0.0.1:9' where name = $1`, [name])
          await network.restartRegion(target)
          await faultsIn(target, { ...jobs, ...away })
          await network.database.rows('update regions set url = $1 where name = $2', [region(target).url, name])
          await until('the next move is postponed', async () =>
            ((await entriesOf(network, there)).at(-1)?.error ?? '').includes('still being removed'),
          )
          await faultsIn(target)
        },
        ended('done', 'migration.leave-target'),
        async (room, before) => {
          const { row } = before
          const postponed = row && { ...row, priority: row.priority + 2 }
          expect(await whereabouts(network, room)).toEqual({ ...before, row: postponed })
        },
      ],
    ],
  },
  {
    name: 'restore-copy × the target is away, cancelled, the source loses the room meanwhile: the copy is kept',
    steps: [
      [
        async (room) => {
          await faultsIn(target, { ...jobs, ...away })
          await start(room)
          await untilStep(room, 'restore-copy')
          await faultsIn(target, { path: '/region/v1/', ...away })
          await cancel(room)
          await untilLeftForLater(room)
          await lose(source, room)
          await faultsIn(target)
        },
        ended('failed', 'migration.leave-target'),
        copies(null, anything),
        needsPerson(1, 'The region region-1 does not have the project room'),
      ],
    ],
  },
  ...(
    [
      ['cannot be reached', 503],
      ['is full', 507],
    ] as const
  ).map(
    ([how, status]): Row => ({
      name: `create-copy × the target ${how}, cancelled: no copy is left, also none made after it was looked for`,
      steps: [
        [
          async (room) => {
            const { copies: before } = await whereabouts(network, room)
            await faultsIn(target, { path: `/region/v1/rooms/${room}`, ...away, status })
            await start(room)
            await untilStep(room, 'create-copy')
            const { id } = await operationOf(room)
            // A move that meets a full disk has already ended by itself.
            await cancel(room).catch(() => undefined)
            await untilLeftForLater(room)
            await faultsIn(target)
            await network.settle()
            const [left] = await network.database.rows<{ state: string; input: { creation: RoomCreation } }>(
              `select state, input from operations where room_name = $1 and kind = 'migration.leave-target'`,
              [room],
            )
            expect(left?.state).toBe('done')
            // The undo has raised the fence by one since.
            const mark = { key: `${id}:1:create`, operation: id, fence: (await operationOf(room)).fence - 1 }
            const late = region(target).client.createRoom(room, left?.input.creation as RoomCreation, mark)
            await expect(late).rejects.toThrow('newer worker')
            expect((await whereabouts(network, room)).copies).toEqual(before)
          },
        ],
      ],
    }),
  ),
]

const afterTheMove: readonly Row[] = [
  {
    name: 'leave-source × the target does not answer: the source is kept until it does, and nothing waits',
    steps: [
      [
        async (room) => {
          await movedButNotLeft(room)
          expect(await stateOf(room)).toMatchObject({ state: 'DEFAULT', region: 2 })
          expect(await region(source).client.room(room)).toMatchObject(closed)
          await faultsIn(target)
        },
        moved,
      ],
    ],
  },
  {
    name: 'open-target × the target does not know the room: the source is kept, Retry looks again',
    steps: [
      [
        async (room) => {
          await faultsIn(target, { method: 'POST', path: `/region/v1/rooms/${room}/unlock`, ...gone })
          await start(room)
        },
        ended('failed'),
        needsPerson(2, 'The region region-2 does not have the project room'),
        copies(closed, anything),
        entered('migrated'),
      ],
      [
        async (room) => {
          await faultsIn(target)
          await retry(room)
        },
        moved,
      ],
    ],
  },
  {
    name: 'leave-source × the target has lost the room: an error, the source is kept, Retry looks again',
    steps: [
      [
        async (room) => {
          await movedButNotLeft(room)
          await faultsIn(target, { ...look(room), ...gone })
        },
        ended('failed', 'migration.leave-source'),
        needsPerson(2),
        async (room) => expect(await region(source).client.room(room)).toMatchObject(closed),
      ],
      [
        async (room) => {
          await faultsIn(target)
          await retry(room, 'migration.leave-source')
        },
        openIn(2),
        copies(null, anything),
      ],
    ],
  },
  {
    name: 'leave-target × fails, then the room moves there: Retry does not remove it, users go on',
    steps: [
      [
        async (room) => {
          await leaveCopyToAnOperation(room)
          await network.planFault('migration.leave-target:remove-copy:after:fail')
          await faultsIn(target)
        },
        ended('failed', 'migration.leave-target'),
      ],
      [start, openInTarget],
      [
        async (room) => expect(await refusalOfRetry(room, 'migration.leave-target')).toContain('in use there'),
        async (room) => expect(await region(target).client.room(room)).toMatchObject(open),
        async (room) => expect(await writeLate(target, room)).toBe('acknowledged'),
      ],
    ],
  },
  {
    name: 'force delete × the other region does not have the room: the copy is kept',
    steps: [
      [
        async (room) => {
          await network.planFault('room.migrate:compare-copies:after:fail')
          await start(room)
        },
        entered('failed'),
      ],
      [
        async (room) => {
          await copyTo(target, room)
          await lose(source, room)
          const body = { projectRoomNames: [room], liveMigrationDataID: there }
          const { operationId } = (await network.admin.call('forceDeleteFailedRooms', { body })).body
          await network.settle()
          expect(await region(target).client.room(room)).not.toBeNull()
          const log = (await network.admin.call('operationLog', { query: { processId: operationId } })).body
          const errorText = `Not removed, because it may be the only copy: ${room}.`
          expect(log).toMatchObject({ state: 'failed', errorText })
        },
      ],
    ],
  },
]

export const copiesLost: readonly Row[] = [...duringTheMove, ...afterTheMove]

async function openInTarget(room: string): Promise<void> {
  expect(await stateOf(room)).toMatchObject({ state: 'DEFAULT', region: 2 })
}

/** The copy is left to an operation that waits for the target. */
function untilLeftForLater(room: string): Promise<void> {
  return until('its copy is left to an operation that waits for the target', async () =>
    (await logOf(room, 'migration.leave-target')).some((text) => text.includes('Trying again')),
  )
}

/** Copies the other region's room here, like a move whose undo could not reach the target. */
async function copyTo(index: number, room: string): Promise<void> {
  const { roomId = '' } = (await region(1 - index).client.room(room)) ?? {}
  await makeBehindTheConsole(region(index), room, roomId)
}
