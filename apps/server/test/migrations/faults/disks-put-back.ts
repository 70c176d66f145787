/**
 * A region whose disk is put back from a backup made before or during a move still answers with the room, but without
 * what the move has proved. Then nothing is opened, and the complete copy is not removed.
 */
import { cp, rename, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { until } from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import { write } from '../../chaos/real-room.ts'
import { serverKilled } from '../../server-killed.ts'
import { endSessions, newMigration, startRun, whereabouts } from '../moves.ts'
import {
  away,
  change,
  faultsIn,
  killedAt,
  look,
  move,
  moveBack,
  network,
  operationOf,
  region,
  retry,
  source,
  start,
  stateOf,
  target,
  untilState,
} from './network.ts'
import {
  type Action,
  closed,
  copies,
  type End,
  entered,
  holds,
  inSequence,
  moved,
  needsPerson,
  openIn,
  type Row,
  retried,
} from './table.ts'

const notHeld = 'The project room in region-2 does not hold what was moved there'
const notThere = 'The region region-2 does not have the project room'
const keptInSource: readonly End[] = [needsPerson(2, notHeld), copies(closed, closed), holds(source, 'one')]
const leavingRetried: Action = (room) => retry(room, 'migration.leave-source')

/** The target was put back as it was before its copy was filled. */
const emptyTargets: readonly Row[] = [
  {
    name: 'after the switch × the target is put back with its empty copy: not opened, the source is kept',
    steps: [
      [
        inSequence(
          switched,
          () => swapDisk(target, 'empty', 'whole'),
          () => restartBoth(target),
        ),
        ...keptInSource,
      ],
      // Retry checks again, with the same result.
      [retried, ...keptInSource],
      [inSequence(() => replaceDisk(target, 'whole'), retried), moved],
    ],
  },
  {
    name: 'after the switch × only the empty folder of the room is put back: Retry does not take it for whole',
    steps: [
      [
        async (room) => {
          await switched(room)
          await rename(folderOf(target, room), `${network.dir}/whole-room`)
          await restartBoth(target)
        },
        needsPerson(2, notThere),
      ],
      [
        async (room) => {
          await region(target).stop()
          await cp(`${network.dir}/empty/rooms/${room}`, folderOf(target, room), { recursive: true })
          await network.restartRegion(target)
          await retry(room)
        },
        ...keptInSource,
      ],
      [inSequence((room) => putFolderBack(room, 'whole-room'), retried), moved],
    ],
  },
  {
    name: 'migration.open-target × the target is put back with its empty copy: not opened, the source is kept',
    steps: [
      [
        async (room) => {
          await copiedWithDisk(room)
          await faultsIn(target, { method: 'POST', path: `/region/v1/rooms/${room}/resume`, ...away })
          await network.restartServer()
          await until('it is left to be opened', async () => (await operationOf(room, openTarget)).state !== null)
          await replaceDisk(target, 'empty')
          await untilState(room, 'failed', openTarget)
          for (const end of keptInSource) await end(room, await whereabouts(network, room))
          const { id } = await operationOf(room, 'migration.leave-source')
          // By now, the pauses between tries to clean up the source are long.
          if (id !== '') await network.admin.call('cancelOperation', { params: { id } }).catch(() => undefined)
        },
        ...keptInSource,
      ],
    ],
  },
]
const openTarget = 'migration.open-target'

const olderTargets: readonly Row[] = [
  {
    name: 'open-target × a suspended room is lost, then its older folder is there: not whole for Retry',
    isSuspended: true,
    steps: [
      [
        async (room) => {
          await killedAt('open-target:recorded', room)
          await region(target).stop()
          await rename(folderOf(target, room), `${network.dir}/whole-folder`)
          await restartBoth(target)
        },
        needsPerson(2, notThere),
      ],
      [
        async (room) => {
          await region(target).stop()
          await cp(`${network.dir}/whole-folder`, folderOf(target, room), { recursive: true })
          deleteDocument(folderOf(target, room), 'one')
          await network.restartRegion(target)
          await retry(room)
        },
        needsPerson(2, notHeld),
        holds(source, 'one'),
      ],
      [
        inSequence((room) => putFolderBack(room, 'whole-folder'), retried),
        async (room) => expect(await stateOf(room)).toEqual({ state: 'SUSPENDED', region: 2, error: null }),
        holds(target, 'one'),
        notInSource,
      ],
    ],
  },
  {
    name: 'leave-source × the target is put back with an earlier stay of the room: the source is kept',
    steps: [
      [
        async (room) => {
          await backFromAnEarlierStay(room)
          await region(target).stop()
          await swapDisk(target, 'earlier', 'whole')
          await network.restartRegion(target)
        },
        holds(target, 'one'),
        holds(source, 'one', 'two'),
        needsPerson(2, notHeld),
      ],
      // The room is complete again: the alarm ends, and the source is cleaned up.
      [
        inSequence(() => replaceDisk(target, 'whole'), leavingRetried),
        openIn(2),
        holds(target, 'one', 'two'),
        notInSource,
      ],
    ],
  },
  {
    name: 'leave-source × the same, and the room has gone on to a third region: the source is kept',
    steps: [
      [
        async (room) => {
          const third = await newMigration(network, { sourceRegion: 2, targetRegion: 3 })
          await backFromAnEarlierStay(room)
          await region(source).stop()
          await replaceDisk(target, 'earlier')
          await startRun(network, { migrationId: third, rooms: [room] })
          await untilIn(3, room)
          await network.restartRegion(source)
        },
        holds(source, 'one', 'two'),
        leavingFailed('region-2 does not know what was moved to it'),
      ],
      [
        async (room) => {
          // After a month its region would have removed the record anyway, so its absence says nothing about the disk.
          await network.database.rows(
            `update operations set created_at = created_at - interval '30 days'
              where room_name = $1 and kind = 'migration.leave-source'`,
            [room],
          )
          await network.admin.call('retryOperation', { params: { id: (await leavingOf(room)).id } })
        },
        holds(source, 'one', 'two'),
        leavingFailed('so long ago that region-2 keeps no record of it any more'),
      ],
    ],
  },
]

/** Rooms that were closed after they had moved, while their source was still to be left. */
const closedSince: readonly Row[] = [
  ...(['moved while it was open', 'opened by an operator'] as const).map((how): Row => {
    const isOpened = how === 'opened by an operator'
    return {
      name: `leave-source × a room that was ${how}, used and closed is missing for a while: whole after Retry`,
      ...(isOpened ? { isSuspended: true } : {}),
      steps: [
        [inSequence((room) => movedAndUsed(room, isOpened), folderIsMissing, sourceIsBack), needsPerson(2, notThere)],
        [
          inSequence((room) => putFolderBack(room, 'missing'), leavingRetried),
          async (room) => expect(await stateOf(room)).toEqual({ state: 'SUSPENDED', region: 2, error: null }),
          ...left(),
        ],
      ],
    }
  }),
  {
    name: 'leave-source × the room is missing, its error told in other words: none any more once the source is left',
    steps: [
      [
        async (room) => {
          await movedAndUsed(room, false)
          await folderIsMissing(room)
          await sourceIsBack()
          await network.settle()
          await network.database.rows(`update rooms set error_message = 'Nobody knows where.' where name = $1`, [room])
          await putFolderBack(room, 'missing')
          await leavingRetried(room)
        },
        async (room) => expect(await stateOf(room)).toMatchObject({ region: 2, error: null }),
        ...left(),
      ],
    ],
  },
  {
    name: 'leave-source × the room is an error for another reason: the source is left',
    steps: [
      [
        async (room) => {
          await movedAndUsed(room, false)
          await network.database.rows(
            `update rooms set state = 'ERROR', error_message = $2, error_code = null where name = $1`,
            [room, otherError],
          )
          await sourceIsBack()
        },
        async (room) => expect(await stateOf(room)).toEqual({ state: 'ERROR', region: 2, error: otherError }),
        ...left(),
      ],
    ],
  },
]
const otherError = 'The backup failed, and not everything could be put back.'

const olderSource: Row = {
  name: 'switch × the source is put back as before the move, without what users wrote since: the copy is kept',
  steps: [
    [
      async (room) => {
        await copyDisk(source, 'older')
        expect(await write(region(source), room, 'two', 'by a user')).toBe('acknowledged')
        await endSessions(network, room)
        await killedAt('switch:before', room)
        await replaceDisk(source, 'older')
        await network.restartServer()
      },
      holds(source, 'one'),
      holds(target, 'one', 'two'),
      needsPerson(1, 'The copy in region-2 may hold what region-1 does not'),
      // It may be in use, so the lock of its check does not stay until it ends by itself.
      async (room) =>
        expect(await region(target).client.room(room)).toMatchObject({ state: 'suspended', locked: false }),
      entered('failed'),
    ],
  ],
}

export const disksPutBack: readonly Row[] = [...emptyTargets, ...olderTargets, ...closedSince, olderSource]

/** A move whose worker was killed; the target's disk was copied while its copy of the room was empty. */
async function copiedWithDisk(room: string): Promise<void> {
  await killedAt('restore-copy:before', room)
  await copyDisk(target, 'empty')
}

/** A move whose worker was killed right after the switch; then the target was stopped. */
async function switched(room: string): Promise<void> {
  await copiedWithDisk(room)
  await network.planFault('room.migrate:switch:recorded:kill')
  await network.restartServer()
  await serverKilled(network)
  await region(target).stop()
}

/** The room has come back to region 1 and moves again, while its copy in region 2 cannot be looked at. */
async function backFromAnEarlierStay(room: string): Promise<void> {
  await move(room)
  await copyDisk(target, 'earlier')
  await moveBack(room)
  expect(await write(region(source), room, 'two', 'by a user')).toBe('acknowledged')
  await endSessions(network, room)
  await faultsIn(target, { ...look(room), ...away })
  await start(room)
  await untilIn(2, room)
}

/** The source is stopped before it is cleaned up. @param isOpened an operator opens the room in the target */
async function movedAndUsed(room: string, isOpened: boolean): Promise<void> {
  await faultsIn(target, { ...look(room), ...away })
  await start(room)
  await untilIn(2, room, isOpened ? 'SUSPENDED' : 'DEFAULT')
  await region(source).stop()
  await faultsIn(target)
  if (isOpened) await change(room, 'resumeRoom')
  expect(await write(region(target), room, 'two', 'by a user')).toBe('acknowledged')
  const { client } = region(target)
  for (const { id } of await client.sessions(room)) await client.endSession(room, id)
  await change(room, 'suspendRoom')
}

function untilIn(regionId: number, room: string, state = 'DEFAULT'): Promise<void> {
  return until(`the room is in region ${regionId}`, async () => {
    const found = await stateOf(room)
    return found.region === regionId && found.state === state
  })
}

async function folderIsMissing(room: string): Promise<void> {
  await region(target).stop()
  await rename(folderOf(target, room), `${network.dir}/missing`)
  await network.restartRegion(target)
}

function sourceIsBack(): Promise<void> {
  return network.restartRegion(source)
}

function left(): End[] {
  return [holds(target, 'one', 'two'), notInSource]
}

async function notInSource(room: string): Promise<void> {
  expect(await region(source).client.room(room)).toBeNull()
}

async function leavingOf(room: string) {
  const [row] = await network.database.rows<{ id: string; state: string; error: string }>(
    `select id, state, error from operations
      where kind = 'migration.leave-source' and room_name = $1 and region_id = 1`,
    [room],
  )
  if (row === undefined) throw new Error('The source is not left by an operation of its own.')
  return row
}

function leavingFailed(error: string): End {
  return async (room) =>
    expect(await leavingOf(room)).toMatchObject({ state: 'failed', error: expect.stringContaining(error) })
}

const folderOf = (index: number, room: string) => `${region(index).dataDir}/rooms/${room}`

/** Replaces the folder of the room in the target with the one of this name. */
async function putFolderBack(room: string, name: string): Promise<void> {
  await region(target).stop()
  await rm(folderOf(target, room), { recursive: true, force: true })
  await rename(`${network.dir}/${name}`, folderOf(target, room))
  await network.restartRegion(target)
}

async function restartBoth(index: number): Promise<void> {
  await network.restartRegion(index)
  await network.restartServer()
}

async function copyDisk(index: number, name: string): Promise<void> {
  await region(index).stop()
  await rm(`${network.dir}/${name}`, { recursive: true, force: true })
  await cp(region(index).dataDir, `${network.dir}/${name}`, { recursive: true })
  await network.restartRegion(index)
}

/** Stops the region, replaces its disk with the copy of this name, and starts it. */
async function replaceDisk(index: number, name: string): Promise<void> {
  await region(index).stop()
  await swapDisk(index, name, 'useless')
  await network.restartRegion(index)
}

/** Replaces the region's disk with the copy of this name. @param instead the name under which the old disk is kept */
async function swapDisk(index: number, name: string, instead: string): Promise<void> {
  const { dataDir } = region(index)
  await rm(`${network.dir}/${instead}`, { recursive: true, force: true })
  await rename(dataDir, `${network.dir}/${instead}`)
  await cp(`${network.dir}/${name}`, dataDir, { recursive: true })
  await rm(`${network.dir}/${name}`, { recursive: true })
}

/** Makes the room look as it did before the document was written. */
function deleteDocument(folder: string, id: string): void {
  const file = new DatabaseSync(`${folder}/databases/main.db`)
  file.prepare('delete from documents where id = ?').run(id)
  file.close()
}
