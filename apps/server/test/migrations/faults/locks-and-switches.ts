/**
 * Between two calls of a move, more than the minute for which a lock lasts may pass, because the process was paused or
 * a region was slow; or the database has lost the switch. What users write then is not lost.
 */
import { administrator, signIn, until } from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import { afterRestoreScript } from '../../after-restore-script.ts'
import { type Written, wrongDocuments } from '../../chaos/real-room.ts'
import {
  away,
  cancel,
  endLock,
  faultsIn,
  heldAfter,
  intercept,
  isChangeOf,
  isJob,
  killedAt,
  logOf,
  look,
  move,
  network,
  once,
  openTarget,
  operationOf,
  region,
  source,
  start,
  stateOf,
  target,
  untilState,
  writeLate,
} from './network.ts'
import {
  type Action,
  anything,
  closed,
  copies,
  type End,
  entered,
  inSequence,
  needsPerson,
  open,
  type Row,
} from './table.ts'

/** What happens while the source is on its way to be suspended by the switch. */
function atSuspension(happens: (room: string) => Promise<unknown>): Action {
  return (room) =>
    intercept(
      source,
      once(isChangeOf(room, 'suspend'), () => happens(room)),
    )
}
const openCopy = 'The copy in region-2 is open for users'
const onlyInTarget: readonly End[] = [isIn(2, 'DEFAULT'), copies(null, open)]
const onlyInSource: readonly End[] = [isIn(1, 'DEFAULT'), copies(open, null)]

const locksEnded: readonly Row[] = [
  {
    name: 'switch × the lock of the source has ended, a user writes before it is suspended: it is not left behind',
    steps: [
      [
        async (room) => {
          let written: Written | null = null
          await atSuspension(async () => {
            await endLock(source, room)
            written = await writeLate(source, room)
          })(room)
          await move(room)
          expect(written).toBe('acknowledged')
        },
        usersRead(source),
        ...onlyInSource,
        entered('failed', expect.stringContaining('was gone for a while')),
      ],
    ],
  },
  {
    name: 'compare-copies × the copy is opened, then cancelled: it is in use and kept, although it holds what it held',
    steps: [
      [
        async (room) => {
          await heldAfter('compare-copies', room)
          await openTarget(room)
          await cancel(room)
        },
        copies(anything, open),
        errorSays(openCopy),
      ],
    ],
  },
  {
    name: 'switch × the copy is open: the source stays closed, so that users never write to both',
    steps: [
      [
        inSequence(
          // As if the room had been switched and the database had lost that.
          atSuspension(async (room) => {
            await endLock(source, room)
            await openTarget(room)
          }),
          move,
        ),
        needsPerson(1, openCopy),
        copies(closed, open),
      ],
    ],
  },
  {
    name: 'switch × a suspended room is open in its source: it is closed there first',
    isSuspended: true,
    steps: [
      [
        async (room) => {
          const { client } = region(source)
          await client.resumeRoom(room, (await client.room(room))?.roomId ?? '')
          await move(room)
        },
        isIn(2, 'SUSPENDED'),
        copies(null, { state: 'suspended', locked: false }),
      ],
    ],
  },
]

/** The database has lost the switch. */
const lostSwitches: readonly Row[] = [
  {
    name: 'switch × the database loses it, but not the record of its end: written again before the target is opened',
    steps: [
      [
        async (room) => {
          await killedAt('switch:recorded', room)
          await network.database.rows(
            `with lost as (update rooms set region_id = 1, version = version - 1 where name = $1 returning id)
             insert into capacity_reservations (room_id, region_id, operation_id)
             select lost.id, 2, o.id from lost join operations o on o.room_id = lost.id and o.kind = 'room.migrate'`,
            [room],
          )
          await network.restartServer()
        },
        ...onlyInTarget,
      ],
    ],
  },
  ...(
    [
      ['open-target', target, (room: string) => isChangeOf(room, 'resume')],
      ['leave-source', source, () => (call: Parameters<typeof isJob>[0]) => isJob(call, 'remove-from-source')],
    ] as const
  ).map(
    ([step, index, callOf]): Row => ({
      name: `${step} × the database loses the switch meanwhile: written again`,
      steps: [
        [
          async (room) => {
            await intercept(
              index,
              once(callOf(room), () => loseSwitch(room)),
            )
            await move(room)
          },
          ...onlyInTarget,
          entered('migrated', ''),
          async (room) => {
            const [step] = await network.database.rows<{ state: string }>(
              `select state from operation_steps where operation_id = $1 and step_id = 'switch'`,
              [(await operationOf(room)).id],
            )
            expect(step?.state).toBe('done')
          },
        ],
      ],
    }),
  ),
]

/** The switch is undone, and the target does not answer. */
const silentTargets: readonly Row[] = [
  {
    name: 'undo of the switch × the target is away, the move itself has closed the source: it is opened at once',
    steps: [
      [
        async (room) => {
          await atSuspension(async () => {
            await endLock(source, room)
            await targetIsAway(room)
          })(room)
          await start(room)
          await untilState(room, 'failed')
          expect(await region(source).client.room(room)).toMatchObject(open)
          await faultsIn(target)
        },
        ...onlyInSource,
      ],
    ],
  },
  {
    name: 'undo of the switch × the target is away, the source was closed before: waits, since the switch may be lost',
    steps: [
      [inSequence(switchedWithoutRecord, () => network.restartServer(), closedUntilTargetAnswers), ...keptForPerson()],
    ],
  },
  {
    name: 'undo of the switch × the target is away, the database was restored from a dump: waits for it',
    steps: [
      [
        async (room) => {
          await switchedWithoutRecord(room)
          await network.database.rows(await afterRestoreScript(administrator.email))
          await network.restartServer()
          network.admin = await signIn(() => network.server.address, administrator)
          await network.admin.call('retryOperation', { params: { id: (await operationOf(room)).id } })
          await closedUntilTargetAnswers(room)
        },
        ...keptForPerson(),
      ],
    ],
  },
]

export const locksAndSwitches: readonly Row[] = [...locksEnded, ...lostSwitches, ...silentTargets]

function isIn(region: 1 | 2, state: string): End {
  return async (room) => expect(await stateOf(room)).toMatchObject({ region, state })
}

/** Users of the room in this region read what a user wrote late. */
function usersRead(index: number): End {
  const documents = { certain: new Map([['late', 'by a user']]), possible: new Map() }
  return async (room) => expect(await wrongDocuments(region(index), room, documents)).toEqual([])
}

function errorSays(text: string): End {
  return async (room) => expect((await stateOf(room)).error).toContain(text)
}

/** As if a standby database had taken over, without the switch and everything after it. */
async function loseSwitch(room: string): Promise<void> {
  await network.database.rows(
    `with lost as (update rooms set region_id = 1, version = version - 1 where name = $1 returning id),
          move as (select o.id, o.room_id from operations o join lost on lost.id = o.room_id
                    where o.kind = 'room.migrate'),
          place as (insert into capacity_reservations (room_id, region_id, operation_id) select room_id, 2, id from move)
     update operation_steps s
        set state = case when s.position = 7 then 'running' else 'open' end, ended_at = null, output = null
       from move where s.operation_id = move.id and s.position >= 7`,
    [room],
  )
}

const targetIsAway = (room: string) => faultsIn(target, { ...look(room), ...away })

/** The room was switched, and users write in the target, but the database knows of neither. */
async function switchedWithoutRecord(room: string): Promise<void> {
  await killedAt('switch:before', room)
  const { client } = region(source)
  await endLock(source, room)
  await client.suspendRoom(room, (await client.room(room))?.roomId ?? '')
  await openTarget(room)
  expect(await writeLate(target, room)).toBe('acknowledged')
  await targetIsAway(room)
}

async function closedUntilTargetAnswers(room: string): Promise<void> {
  await until('the undo waits for the target, or the move has ended', async () => {
    const isWaiting = (text: string) => /^undo: switch to the target: .*Trying again/.test(text)
    return (await logOf(room, 'room.migrate')).some(isWaiting) || (await operationOf(room)).state === 'failed'
  })
  expect(await region(source).client.room(room)).toMatchObject(closed)
  await faultsIn(target)
}

function keptForPerson(): End[] {
  return [needsPerson(1, 'The copy in region-2'), copies(closed, open), usersRead(target)]
}
