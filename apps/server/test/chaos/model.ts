/**
 * Random sequences of actions on two regions, with crashes at random moments, compared with a model after each action.
 * A failure is shrunk to the shortest sequence that still fails.
 *
 * MODEL_RUNS and MODEL_ACTIONS set the amount. SEED repeats a run.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { bootNetwork, type Network, seed, uniqueRoomName } from '@roomkeeper/dev-env'
import fc from 'fast-check'
import { expect } from 'vitest'
import { expected, observe, perform, write, wrongDocuments } from './real-room.ts'
import { type Action, after, isPossible, type RoomModel, withDocument } from './room-model.ts'
import { type Supervision, supervise, type Victim, victims } from './supervise.ts'

const runs = Number(process.env.MODEL_RUNS ?? 3)
const longest = Number(process.env.MODEL_ACTIONS ?? 16)

let network: Network
let supervision: Supervision

export async function setUp(): Promise<void> {
  network = await bootNetwork({ regions: 2, env: { PROCESS: 'api', WORKER_LEASE_SECONDS: '3' } })
  supervision = supervise(network, [await network.addServer({ PROCESS: 'worker' })])
}

export async function tearDown(): Promise<void> {
  await supervision?.letGo()
  await network?.stop()
}

interface Move {
  action: Action
  crash: { victim: Victim; afterMilliseconds: number } | null
}

const small = fc.nat({ max: 4 })
const text = fc.string({ maxLength: 40 })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: text.map((written): Action => ({ do: 'write', text: written })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ company: fc.stringMatching(/^[A-Za-z][A-Za-z ]{0,10}[a-z]$/), viewers: small })
      .map((given): Action => ({ do: 'edit', ...given })),
  },
  { weight: 3, arbitrary: fc.constantFrom<Action>({ do: 'suspend' }, { do: 'resume' }) },
  { weight: 3, arbitrary: fc.constant<Action>({ do: 'move' }) },
  { weight: 2, arbitrary: fc.constant<Action>({ do: 'backup' }) },
  { weight: 2, arbitrary: small.map((backup): Action => ({ do: 'restore', backup })) },
  { weight: 2, arbitrary: fc.constantFrom<Action>({ do: 'backupDatabase' }, { do: 'restoreDatabase' }) },
  { weight: 1, arbitrary: fc.constant<Action>({ do: 'delete' }) },
)
const create = fc
  .record({ region: fc.constantFrom(1 as const, 2 as const), viewers: small })
  .map((given): Action => ({ do: 'create', ...given }))
const crash = fc.option(fc.record({ victim: fc.constantFrom(...victims), afterMilliseconds: fc.nat({ max: 400 }) }), {
  freq: 2,
})
const sequence = fc
  .tuple(
    create,
    fc.array(
      fc.record({ action: fc.oneof({ weight: 9, arbitrary: action }, { weight: 1, arbitrary: create }), crash }),
      { minLength: 4, maxLength: longest },
    ),
  )
  .map(([first, rest]): Move[] => [{ action: first, crash: null }, ...rest])
  // Without a kill, a run would have shown nothing about crashes.
  .filter(crashesOnce)

export async function run(): Promise<void> {
  console.log(`model test: SEED=${seed()}, ${runs} runs`)
  await fc.assert(fc.asyncProperty(sequence, playsAsTheModel), {
    numRuns: runs,
    seed: seed(),
    endOnFailure: runs < 10,
  })
  expect(supervision.killed.size).toBeGreaterThan(0)
}

export const milliseconds = runs * 240_000

/** Whether there is a crash during an action that is possible. */
function crashesOnce(moves: readonly Move[]): boolean {
  let room: RoomModel | null = null
  for (const { action: wanted, crash: planned } of moves) {
    if (!isPossible(room, wanted)) continue
    if (planned !== null) return true
    room = after(room, wanted)
  }
  return false
}

async function playsAsTheModel(moves: Move[]): Promise<void> {
  const name = uniqueRoomName('model')
  let room: RoomModel | null = null
  for (const { action: wanted, crash: planned } of moves) {
    if (!isPossible(room, wanted)) continue
    const crashing = planned === null ? null : crashSoon(planned)
    room = await play(name, room, wanted)
    await crashing
    await network.settle()
    expect({ action: wanted, ...(await observe(network, name)) }).toEqual({ action: wanted, ...expected(room) })
    if (room?.state === 'DEFAULT') expect(await wrongIn(name, room)).toEqual([])
  }
  if (room?.state === 'SUSPENDED') {
    room = await play(name, room, { do: 'resume' })
    if (room !== null) expect(await wrongIn(name, room)).toEqual([])
  }
}

async function play(name: string, room: RoomModel | null, wanted: Action): Promise<RoomModel | null> {
  if (wanted.do === 'write' && room !== null) {
    const id = randomUUID()
    switch (await write(regionOf(room), name, id, wanted.text)) {
      case 'acknowledged':
        return withDocument(room, 'certain', id, wanted.text)
      case 'unknown':
        return withDocument(room, 'possible', id, wanted.text)
      case 'refused':
        return room
    }
  }
  // Killed processes are restarted at once, so no action has a reason to fail.
  expect({ action: wanted, ending: await perform(network, name, room, wanted) }).toEqual({
    action: wanted,
    ending: 'done',
  })
  return after(room, wanted)
}

async function crashSoon({ victim, afterMilliseconds }: NonNullable<Move['crash']>): Promise<void> {
  await pause(afterMilliseconds)
  await supervision.kill(victim)
}

function wrongIn(name: string, room: RoomModel): Promise<string[]> {
  return wrongDocuments(regionOf(room), name, room.documents)
}

function regionOf(room: RoomModel) {
  const region = network.regions[room.region - 1]
  if (region === undefined) throw new Error(`There is no region ${room.region}.`)
  return region
}
