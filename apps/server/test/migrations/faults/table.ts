/** The form of the table of faults of a move, and the ends that a row can have. */
import { expect } from 'vitest'
import { entriesOf, whereabouts } from '../moves.ts'
import { documentsIn, network, operationOf, retry, stateOf, there } from './network.ts'

/** A room with a document is in region 1, and moves to region 2 unless the row says otherwise. */
export interface Row {
  /** At which step or call, what goes wrong, and how it ends. */
  name: string
  isSuspended?: true
  /** One after another: what happens, and what must hold when every operation has ended. */
  steps: readonly (readonly [Action, ...End[]])[]
  /** When it is over, the doctor finds nothing. */
  doctorFindsNothing?: true
  /** The row itself removes the room from both regions. */
  isGone?: true
}

export type Action = (room: string) => Promise<unknown>
export type End = (room: string, before: Whereabouts) => Promise<void>
export type Whereabouts = Awaited<ReturnType<typeof whereabouts>>

/** One after another. */
export function inSequence(...steps: readonly Action[]): Action {
  return async (room) => {
    for (const action of steps) await action(room)
  }
}

export const retried: Action = (room) => retry(room)

/** The room is in the target as it was in the source, and nothing of it is left in the source. */
export const moved: End = async (room, before) =>
  expect(await whereabouts(network, room)).toEqual({
    row: { ...before.row, region_id: 2 },
    copies: [null, before.copies[0], null],
    reserved: 0,
  })

export const asBefore: End = async (room, before) => expect(await whereabouts(network, room)).toEqual(before)

/** The room is open in this region, and has no error. */
export function openIn(region: 1 | 2): End {
  return async (room) => expect(await stateOf(room)).toEqual({ state: 'DEFAULT', region, error: null })
}

/** A person must decide. @param region where the console says that the room is */
export function needsPerson(region: 1 | 2, ...says: readonly string[]): End {
  return async (room) => {
    const { error, ...found } = await stateOf(room)
    expect(found).toEqual({ state: 'ERROR', region })
    for (const text of says) expect(error).toContain(text)
  }
}

/** What the source and the target have; null: not the room. The third region does not have it. */
export function copies(...expected: [copyInSource: object | null, copyInTarget: object | null]): End {
  return async (room) => expect((await whereabouts(network, room)).copies).toMatchObject([...expected, null])
}
export const open = { state: 'active', locked: false }
export const closed = { state: 'suspended' }
/** A room in any state. `{}` would match null too. */
export const anything: object = expect.anything()

/** The newest operation of this kind. */
export function ended(state: string, kind?: string): End {
  return async (room) => expect(await operationOf(room, kind)).toMatchObject({ state })
}

/** The documents in the file of the region. */
export function holds(index: number, ...documents: readonly string[]): End {
  return async (room) => expect(documentsIn(index, room)).toEqual(documents)
}

/** The newest state entry of the run is about the room. */
export function entered(outcome: string, error: unknown = expect.any(String)): End {
  return async (room) =>
    expect((await entriesOf(network, there)).at(-1)).toMatchObject({ room_name: room, outcome, error })
}
