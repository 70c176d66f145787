/** Two versions of the code at once: one knows only the first version of the fixture kind, the other knows both. */
import { until } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FixtureVersion, fixtureSteps } from './fixture-operations/fixture-kind.ts'
import { createFixtureWorld, type FixtureWorld } from './fixture-operations/fixture-world.ts'

let world: FixtureWorld
const begun = new Map<string, FixtureVersion>()
beforeAll(async () => {
  world = await createFixtureWorld()
})
let load: { stop(): Promise<void> } | undefined
afterAll(async () => {
  await load?.stop()
  await world?.stop()
})

const oldCode = { FIXTURE_VERSIONS: '1' }
const newCode = { FIXTURE_VERSIONS: '1,2' }

it('upgrading and going back under load loses nothing: each operation is finished in its own version', async () => {
  const old = await world.worker(oldCode)
  load = startLoad()
  const early = await beginHeld(1)
  const newer = await world.worker(newCode)
  const late = await beginHeld(2)
  await old.stop()
  await until('the new code has taken over what the old one left', async () => (await pidOf(early)) === null)
  await world.sign('go held')
  await until('both are done', async () => (await isDone(early)) && (await isDone(late)))

  // A downgrade: the old code finds operations of a version that it does not know.
  await world.unsign('go held')
  const [known, unknown] = [await beginHeld(1), await beginHeld(2)]
  const oldAgain = await world.worker(oldCode)
  await newer.stop('SIGKILL')
  await world.sign('go held')
  await until('the old code has finished what it knows', () => isDone(known))
  const after = await world.begin()
  begun.set(after, 1)
  await until('it goes on with what is new', () => isDone(after))
  expect(await world.state(unknown)).toEqual({ state: 'running', error: null })
  const fence = await fenceOf(unknown)

  await world.worker(newCode)
  await load.stop()
  await world.settle()
  expect(await fenceOf(unknown)).toBe(fence + 1)
  expect(oldAgain.child.exitCode).toBeNull()
  expect(begun.size).toBeGreaterThan(20)
  const ends = await world.database.rows<{ state: string; version: number; n: number }>(
    'select state, version, count(*)::int as n from operations group by state, version order by version',
  )
  expect(ends.map(({ state }) => state)).toEqual(['done', 'done'])
  expect(await effectsByOperation(newer.child.pid)).toEqual(
    Object.fromEntries([...begun].map(([id, version]) => [id, [...fixtureSteps(version), 'done']])),
  )
  expect(await world.database.rows('select from operation_slots')).toEqual([])
}, 120_000)

/** Starts an operation that needs a slot of a region. */
async function begin(version: FixtureVersion): Promise<void> {
  begun.set(await world.begin({ version, region: 1 }), version)
}

/** Starts an operation and holds it at its second step. */
async function beginHeld(version: FixtureVersion): Promise<string> {
  const id = await world.begin({ version, input: { waitsAt: 'second' }, subject: 'held' })
  begun.set(id, version)
  await until('it is held', () => world.isAt(id, 'second'))
  return id
}

/** Starts one operation after the other, alternating between both versions. */
function startLoad(): { stop(): Promise<void> } {
  let over = false
  const work = (async () => {
    for (let n = 0; !over; n += 1) {
      await begin(n % 2 === 0 ? 1 : 2)
      await until('the line is short', async () => over || (await openOperations()) < 20, 100)
    }
  })()
  return {
    async stop() {
      over = true
      await work
    },
  }
}

async function openOperations(): Promise<number> {
  const [row] = await world.database.rows<{ open: number }>(
    `select count(*)::int as open from operations where state in ('waiting', 'running', 'cancelling')`,
  )
  return row?.open ?? 0
}

async function isDone(id: string): Promise<boolean> {
  return (await world.state(id)).state === 'done'
}

async function fenceOf(id: string): Promise<number> {
  const [row] = await world.database.rows<{ fence: number }>('select fence from operations where id = $1', [id])
  return row?.fence ?? -1
}

async function pidOf(id: string): Promise<number | null> {
  const [row] = await world.database.rows<{ pid: number }>(
    'select w.pid from operations o join workers w on w.id = o.worker_id where o.id = $1 and o.fence = 1',
    [id],
  )
  return row?.pid ?? null
}

/** @param killed the process whose last effect may happen twice: it may have been killed before recording the effect */
async function effectsByOperation(killed: number | undefined): Promise<Record<string, string[]>> {
  const rows = await world.database.rows<{ id: string; what: string; pid: number }>(
    'select operation_id as id, what, pid from fixture_effects order by n',
  )
  const effects: Record<string, { what: string; pid: number }[]> = {}
  for (const { id, ...effect } of rows) {
    const before = effects[id]?.at(-1)
    const isAgain = before?.what === effect.what && before.pid === killed && effect.pid !== killed
    if (!isAgain) effects[id] = [...(effects[id] ?? []), effect]
  }
  return Object.fromEntries(Object.entries(effects).map(([id, of]) => [id, of.map(({ what }) => what)]))
}
