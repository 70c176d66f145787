/**
 * A table of what goes wrong in moves: at which step or call, which fault, and how it ends. No row loses a room or lets
 * users write to two copies. What may be the only copy is never removed: a copy is removed only after the room itself
 * was seen in another region; in every other case a person decides. No room waits for an unreachable region.
 *
 * A run takes a part of the rows, `ALL=1` each.
 */
import { sampled } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { copiesLost } from './faults/copies-lost.ts'
import { disksPutBack } from './faults/disks-put-back.ts'
import { lateCalls } from './faults/late-calls.ts'
import { locksAndSwitches } from './faults/locks-and-switches.ts'
import { mistakes } from './faults/mistakes.ts'
import { change, clearFaults, network, roomWithContent, setUp, tearDown } from './faults/network.ts'
import type { Row } from './faults/table.ts'
import { whereabouts } from './moves.ts'

/** Mistakes come first: after them the doctor finds nothing, and what others leave to a person would be found. */
const rows: readonly Row[] = [...mistakes, ...copiesLost, ...locksAndSwitches, ...lateCalls, ...disksPutBack]

beforeAll(setUp)
afterAll(tearDown)
afterEach(clearFaults)

for (const row of sampled('faults of a move', rows)) it(row.name, () => runRow(row), 120_000)

async function runRow({ steps, isSuspended, doctorFindsNothing, isGone }: Row): Promise<void> {
  const room = await roomWithContent()
  if (isSuspended) {
    await change(room, 'suspendRoom')
    await network.settle()
  }
  const before = await whereabouts(network, room)
  for (const [action, ...ends] of steps) {
    await action(room)
    await network.settle()
    for (const end of ends) await end(room, before)
  }
  await expectNothingLeft(room)
  if (!isGone) expect((await whereabouts(network, room)).copies).toContainEqual(expect.anything())
  if (doctorFindsNothing) expect(await network.doctor()).toEqual([])
}

/** Nothing is occupied any more. */
async function expectNothingLeft(room: string): Promise<void> {
  expect((await whereabouts(network, room)).reserved).toBe(0)
  expect(await network.database.rows('select from operation_slots')).toEqual([])
}
