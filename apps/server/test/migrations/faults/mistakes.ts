/**
 * A bug ends a move after the point of no return, or in its undo. Separate operations remove the copy that is left,
 * after proving that no user works in it.
 */
import { expect } from 'vitest'
import { cancel, heldAfter, move, network, operationOf } from './network.ts'
import { type Action, asBefore, inSequence, moved, type Row } from './table.ts'

const points = [
  'switch:after',
  'switch:recorded',
  'open-target:before',
  'open-target:after',
  'open-target:recorded',
  'leave-source:before',
  'leave-source:after',
  'leave-source:recorded',
]

export const mistakes: readonly Row[] = [
  ...points.map((point): Row => ({ ...mistakeAt(point), name: `a mistake at ${point}: moved, nothing in the source` })),
  ...['switch:after', 'leave-source:before'].map((point): Row => {
    const name = `a mistake at ${point} in the move of a suspended room: moved, and still suspended`
    return { ...mistakeAt(point), name, isSuspended: true }
  }),
  {
    name: 'a mistake at leave-source:before: takes back no step of the move',
    steps: [[brokenAt('leave-source:before'), everyStepButTheLastDone]],
    doctorFindsNothing: true,
  },
  ...['create-copy', 'restore-copy', 'compare-copies'].map(
    (step): Row => ({
      name: `cancelled after ${step}, a mistake in the undo of the copy: as before, and can be moved again`,
      steps: [
        [inSequence((room) => heldAfter(step, room), cancelledWithMistake), asBefore],
        [move, inTarget],
      ],
      doctorFindsNothing: true,
    }),
  ),
]

function mistakeAt(point: string): Omit<Row, 'name'> {
  return { steps: [[brokenAt(point), moved]], doctorFindsNothing: true }
}

function brokenAt(point: string): Action {
  return async (room) => {
    await network.planFault(`room.migrate:${point}:break`)
    await move(room)
    expect(await network.faultHappened()).toBe(true)
    expect((await operationOf(room)).state).toBe('failed')
  }
}

async function everyStepButTheLastDone(room: string): Promise<void> {
  const { id } = await operationOf(room)
  const { body } = await network.admin.call('operationLog', { query: { processId: id } })
  expect(body.steps.map(({ state }) => state)).toEqual([...Array<string>(9).fill('done'), 'failed'])
}

async function cancelledWithMistake(room: string): Promise<void> {
  await network.planFault('room.migrate:create-copy:undo:break')
  await cancel(room)
  await network.settle()
  expect(await network.faultHappened()).toBe(true)
}

async function inTarget(room: string): Promise<void> {
  const [row] = await network.database.rows('select region_id from rooms where name = $1', [room])
  expect(row).toEqual({ region_id: 2 })
}
