/**
 * The standing harness for kinds of operations: at every step it is killed, made to fail, or cancelled. Killed, it goes
 * on and takes effect once; otherwise everything is put back, or kept to be retried.
 */
import { type Network, until } from '@roomkeeper/dev-env'
import { describe, expect, it } from 'vitest'
import { serverKilled } from '../server-killed.ts'
import { wholeRoom } from './room-life.ts'

export interface Life {
  kind: string
  steps: number
  /** Steps from which on it can no longer be cancelled. */
  noReturnFrom?: number
  /** Failing keeps what was done, in ERROR, to be retried; otherwise it puts everything back. */
  keeps?: true
  /** @returns the room's name */
  prepare(): Promise<string>
  start(room: string): Promise<unknown>
  expectDone(room: string, before: Whole): Promise<void>
}
export type Whole = Awaited<ReturnType<typeof wholeRoom>>

/** @param networkNow the network once it has booted, with servers that know FAULT_FILE */
export function everyStepGoesWrong(networkNow: () => Network, lives: Life[]): void {
  const eachStep = lives.flatMap((life) =>
    Array.from({ length: life.steps }, (_, position) => ({ kind: life.kind, position, life })),
  )

  describe('a server killed', () => {
    const points = eachStep.map(({ life, position }) => ({ life, fault: `${life.kind}:${position}:after` }))
    const ends = lives.map((life) => ({ life, fault: `${life.kind}:${life.steps}:before` }))
    it.each([...points, ...ends])(
      'at $fault goes on after its restart, and everything took effect once',
      async ({ life, fault }) => {
        const network = networkNow()
        const room = await life.prepare()
        const before = await wholeRoom(network, room)
        await network.planFault(`${fault}:kill`)
        // Calls that wait for the end are cut off with the server.
        const started = life.start(room).catch(() => undefined)
        await serverKilled(network)
        await started
        await network.restartServer()
        await network.settle()
        expect(await newestState(network, room)).toBe('done')
        await life.expectDone(room, before)
        expect(await uploadsLeft(network)).toBe(0)
      },
    )
  })

  describe('an operation that fails', () => {
    it.each(eachStep)(
      'after the work of $kind $position was done leaves no trace, or can be retried',
      async ({ life, kind, position }) => {
        const network = networkNow()
        const room = await life.prepare()
        const before = await wholeRoom(network, room)
        await network.planFault(`${kind}:${position}:after:fail`)
        await life.start(room).catch(() => undefined)
        await network.settle()
        expect(await network.faultHappened()).toBe(true)
        const putBack = life.noReturnFrom === undefined || position < life.noReturnFrom
        if (life.keeps !== true && putBack) expect(await wholeRoom(network, room)).toEqual(before)
        if (life.keeps === true) expect((await wholeRoom(network, room)).row?.state).toBe('ERROR')
        if (kind === 'room.edit') return
        await network.admin.call('retryOperation', { params: { id: await newestOperation(network, room) } })
        await network.settle()
        expect(await newestState(network, room)).toBe('done')
        await life.expectDone(room, before)
      },
    )
  })

  describe('an operation that is cancelled', () => {
    const cancellable = eachStep.filter(({ life, position }) => position < (life.noReturnFrom ?? life.steps))
    it.each(cancellable)(
      'after the work of $kind $position was done leaves everything as it was',
      async ({ life, kind, position }) => {
        const network = networkNow()
        const room = await life.prepare()
        const before = await wholeRoom(network, room)
        await network.planFault(`${kind}:${position}:after:hold`)
        const started = life.start(room).catch(() => undefined)
        await until('the step is held', () => network.faultHappened())
        const id = await newestOperation(network, room)
        await network.admin.call('cancelOperation', { params: { id } })
        await network.settle()
        await started
        expect(await wholeRoom(network, room)).toEqual(before)
        expect(await uploadsLeft(network)).toBe(0)
      },
    )
  })
}

async function newestOperation(network: Network, room: string): Promise<string> {
  const [row] = await network.database.rows<{ id: string }>(
    'select id from operations where room_name = $1 order by created_at desc limit 1',
    [room],
  )
  return row?.id ?? ''
}

async function newestState(network: Network, room: string): Promise<string> {
  const id = await newestOperation(network, room)
  return (await network.admin.call('operationLog', { query: { processId: id } })).body.state
}

/** Uploads that nobody will use any more and that housekeeping has nothing to say about. */
async function uploadsLeft(network: Network): Promise<number> {
  const [row] = await network.database.rows<{ left: number }>(
    'select count(*)::int as left from uploads where delete_after is null or delete_after > now()',
  )
  return row?.left ?? 0
}
