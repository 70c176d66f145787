/**
 * Makes every step of every kind of operation go wrong. After a kill between the work of a step and its record, the
 * operation repeats the step, continues and takes effect once. After a failure or a cancellation there, everything is
 * undone, or kept for a retry.
 */
import { type Network, sampled, until } from '@roomkeeper/dev-env'
import { expect, it } from 'vitest'
import { serverKilled } from '../server-killed.ts'
import { kindOf, stepsOf } from '../steps-of.ts'
import { wholeRoom } from './room-life.ts'

/** How to start an operation of a kind, and what to expect when it ends. */
export interface Scenario {
  /** @returns the name of the room, which is used for all steps, one after another */
  prepare(): Promise<string>
  start(room: string): Promise<unknown>
  expectDone(room: string, before: Whole): Promise<void>
  /** Default: everything is as before. If the kind keeps what was done after a failure, the room is in ERROR. */
  expectFailed?(room: string): Promise<void>
  /** Default: everything is as before. */
  expectCancelled?(room: string): Promise<void>
  /** A failed operation is not retried but started anew. */
  beginsAnew?: true
  /** Other operations wait until this one has succeeded. */
  othersWait?: true
}
export type Whole = Awaited<ReturnType<typeof wholeRoom>>

/**
 * For each fault, a run takes some kinds of operations and all of their steps, because the steps of a kind share the
 * preparation and the final check.
 * @param networkNow returns the network once it has booted, with servers that support FAULT_FILE
 */
export function everyStepGoesWrong(networkNow: () => Network, scenarios: Record<string, Scenario>): void {
  const kinds = Object.keys(scenarios)
  const drawn = {
    killed: sampled('kinds of operations killed at each step', kinds),
    failing: sampled('kinds of operations that fail at each step', kinds),
    // Nothing can be cancelled if the first step is already the point of no return.
    cancelled: sampled(
      'kinds of operations cancelled at each step',
      kinds.filter((kind) => cancellableSteps(kind).length > 0),
    ),
  }
  for (const [kind, scenario] of Object.entries(scenarios)) {
    const walk = walkOf(networkNow, kind, scenario)
    if (drawn.killed.includes(kind)) walk.isKilled()
    if (drawn.failing.includes(kind)) walk.fails()
    if (drawn.cancelled.includes(kind)) walk.isCancelled()
  }
}

/** The steps before the point of no return. */
function cancellableSteps(kind: string): string[] {
  const noReturn = kindOf(kind).steps.findIndex(({ pointOfNoReturn }) => pointOfNoReturn === true)
  return noReturn < 0 ? stepsOf(kind) : stepsOf(kind).slice(0, noReturn)
}

function walkOf(networkNow: () => Network, kind: string, scenario: Scenario) {
  const steps = stepsOf(kind)
  const cancellable = cancellableSteps(kind)
  const start = (room: string) => scenario.start(room).catch(() => undefined)
  // A server that shares its machine with other tests may take long to restart.
  const timeout = (steps.length + 1) * 30_000
  return { isKilled, fails, isCancelled }

  function isKilled(): void {
    it(
      `${kind} killed after the work of each step goes on after every restart, and everything took effect once`,
      async () => {
        const network = networkNow()
        const room = await scenario.prepare()
        const before = await wholeRoom(network, room)
        let started: Promise<unknown> | null = null
        for (const point of [...steps.map((step) => `${step}:after`), 'end:before']) {
          await network.planFault(`${kind}:${point}:kill`)
          if (started === null) started = start(room)
          // A worker process starts faster than a server. It may reach the next fault before it reports to be ready.
          else await network.restartServer({ PROCESS: 'worker' }).catch(() => undefined)
          await serverKilled(network)
          // The kill cuts off a call that is waiting for the end of the operation.
          await started
        }
        await network.restartServer()
        await ended(network, kind)
        await network.settle()
        expect((await newest(network, kind))?.state).toBe('done')
        await scenario.expectDone(room, before)
        expect(await uploadsLeft(network)).toBe(0)
      },
      timeout,
    )
  }

  function fails(): void {
    it(`${kind} that fails after the work of each step leaves no trace, or can be retried`, async () => {
      const network = networkNow()
      const room = await scenario.prepare()
      const before = await wholeRoom(network, room)
      for (const [position, step] of steps.entries()) {
        await network.planFault(`${kind}:${step}:after:fail`)
        if (position === 0 || scenario.beginsAnew === true) await start(room)
        else await retry(network, kind)
        await hasEnded(network)
        expect(await network.faultHappened(), step).toBe(true)
        if (scenario.expectFailed !== undefined) await scenario.expectFailed(room)
        else if (kindOf(kind).whenFailed === 'keep')
          expect((await wholeRoom(network, room)).row?.state, step).toBe('ERROR')
        else if (cancellable.includes(step)) expect(await wholeRoom(network, room), step).toEqual(before)
      }
      if (scenario.beginsAnew === true) return
      await retry(network, kind)
      await hasEnded(network)
      await network.settle()
      expect((await newest(network, kind))?.state).toBe('done')
      await scenario.expectDone(room, before)
    })
  }

  function isCancelled(): void {
    it(`${kind} that is cancelled after the work of each step is put back`, async () => {
      const network = networkNow()
      let room: string | null = null
      for (const step of cancellable) {
        if (room === null || scenario.expectCancelled !== undefined) room = await scenario.prepare()
        const before = await wholeRoom(network, room)
        await network.planFault(`${kind}:${step}:after:hold`)
        const started = start(room)
        await until(`the step ${step} is held`, () => network.faultHappened())
        await network.admin.call('cancelOperation', { params: { id: (await newest(network, kind))?.id ?? '' } })
        await hasEnded(network)
        await started
        if (scenario.expectCancelled === undefined) expect(await wholeRoom(network, room), step).toEqual(before)
        else await scenario.expectCancelled(room)
        expect(await uploadsLeft(network)).toBe(0)
      }
    })
  }

  async function hasEnded(network: Network): Promise<void> {
    await ended(network, kind)
    if (scenario.othersWait !== true) await network.settle()
  }
}

async function ended(network: Network, kind: string): Promise<void> {
  await until(`${kind} has ended`, async () => (await newest(network, kind))?.hasEnded === true, 60)
}

async function retry(network: Network, kind: string): Promise<void> {
  await network.admin.call('retryOperation', { params: { id: (await newest(network, kind))?.id ?? '' } })
}

async function newest(network: Network, kind: string) {
  const [row] = await network.database.rows<{ id: string; state: string; hasEnded: boolean }>(
    `select id, state, ended_at is not null as "hasEnded" from operations where kind = $1
      order by created_at desc limit 1`,
    [kind],
  )
  return row
}

/** The number of uploads that are neither gone nor due for removal by housekeeping. */
async function uploadsLeft(network: Network): Promise<number> {
  const [row] = await network.database.rows<{ left: number }>(
    'select count(*)::int as left from uploads where delete_after is null or delete_after > now()',
  )
  return row?.left ?? 0
}
