/**
 * Every file call of everything that a region does fails once, with a typical error of a file system. If the process
 * ends because of it, it is started again. A run takes some of what a region does, `ALL=1` everything: one error at each
 * call, and a few of the rest, drawn by `SEED`. `FILE_CALLS=all` tries all errors, and a real death, at every call.
 */
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampled, startObjectStore } from '@roomkeeper/dev-env'
import { RegionJobFailed } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FileCall } from '#disk/files.ts'
import { setFaults } from '../injected-faults.ts'
import { newCreation, type RegionProcess, startRegion } from '../region-process.ts'
import { type Case, cases } from './cases.ts'
import { leftoversIn } from './leftovers.ts'
import { everything, isDrawn } from './sample.ts'
import {
  bucketIn,
  bystander,
  makeRoom,
  type Observation,
  observe,
  prepareWorld,
  type Request,
  serves,
  type Try,
  type World,
} from './world.ts'

/** In memory (tmpfs) if possible: whether fsync reaches a disk is not tested here. */
const scratch = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

let region: RegionProcess
let world: World
const store = await startObjectStore()
beforeAll(async () => {
  region = await startRegion({}, await mkdtemp(join(scratch, 'roomkeeper-failing-')))
  world = await prepareWorld(region, store === null ? null : await bucketIn(store))
})
afterAll(async () => {
  await region.remove()
  await store?.stop()
})
const asked = (): Request => ({ ...region, store: world.store })

type Action = 'EIO' | 'ENOSPC' | 'EMFILE' | 'exit-before' | 'exit-after'

for (const each of everything ? cases : sampled('jobs of a region whose file calls fail', cases))
  test.skipIf(each.store && store === null)(
    `when any file call fails, it is done or as before, and the same works then: ${each.name}`,
    async () => {
      const calls = await callsOf(each)
      expect(calls.length).toBeGreaterThan(0)
      for (const [position, call] of calls.entries()) {
        const nth = position + 1
        const what = (action: Action) => `${each.name} ${nth} ${action}`
        await fail(each, { call, nth, action: 'EIO' })
        for (const action of ['ENOSPC', 'EMFILE'] as const)
          if (isDrawn(0.2, what(action))) await fail(each, { call, nth, action })
        if (isDrawn(0.1, `${what('EIO')} lasting`)) await fail(each, { call, nth, action: 'EIO', lasting: true })
        for (const action of ['exit-before', 'exit-after'] as const)
          if (isDrawn(0.01, what(action))) await fail(each, { call, nth, action })
      }
    },
    600_000,
  )

test('after all that, nothing is left over when the region starts again', async () => {
  await region.kill()
  region = await region.again()
  expect(leftoversIn(region.dataDir)).toEqual([])
  expect((await region.client.status()).damagedRooms).toEqual([])
  expect((await region.client.rooms()).rooms.map(({ name }) => name)).toEqual([bystander])
  expect(await serves(region, bystander)).toBe(true)
})

let roomsMade = 0
async function begin(each: Case): Promise<Try> {
  roomsMade += 1
  const request = { room: `case${roomsMade}`, creation: newCreation(), id: crypto.randomUUID() }
  if (!each.makesRoom) await makeRoom(region, request.room, request.creation)
  await each.prepare?.(region, request.room)
  return request
}

async function end(request: Try): Promise<void> {
  const { room, creation } = request
  await region.client.runJob(crypto.randomUUID(), { type: 'deleteRoom', room, roomId: creation.roomId, holder: 'me' })
}

/** The file calls of a run of the case without failures. */
async function callsOf(each: Case): Promise<FileCall[]> {
  const request = await begin(each)
  await setFaults(region, [])
  await each.act(asked(), request)
  const calls = (await (await fetch(`${region.url}/faults/files`)).json()) as FileCall[]
  await end(request)
  return calls
}

const leftBefore = new Set<string>()

interface Fault {
  call: FileCall
  nth: number
  action: Action
  lasting?: true
}

async function fail(each: Case, { call, ...fault }: Fault): Promise<void> {
  const at = `${fault.lasting ? 'lasting ' : ''}${fault.action} at ${fault.nth}, ${call.call} ${call.path}`
  try {
    const request = await begin(each)
    const before = await observe(region, request.room)
    await setFaults(region, [{ file: '*', ...fault }])
    const failure = await each.act(asked(), request).then(
      () => null,
      (error: unknown) => error,
    )
    if (await hasEnded()) region = await region.again()
    else await setFaults(region, [])
    expectOneOrTheOther(each, before, await observe(region, request.room), failure)
    expect(await serves(region, bystander)).toBe(true)
    if (!each.takesLong || fault.nth === 1) await expectToWork(each, request)
    await end(request)
    // If the clean-up itself failed, something may stay until the next start.
    const mayStay = fault.lasting || ['unlink', 'rmdir', 'readdir', 'rename'].includes(call.call)
    const left = leftoversIn(region.dataDir).filter((path) => !leftBefore.has(path))
    if (!mayStay) expect(left).toEqual([])
    for (const path of left) leftBefore.add(path)
  } catch (error) {
    // These leftovers must not make the next cases fail.
    for (const path of leftoversIn(region.dataDir)) leftBefore.add(path)
    throw new Error(
      `${at}: ${error instanceof Error ? error.message : String(error)}\n${region.output().slice(-1000)}`,
      {
        cause: error,
      },
    )
  }
}

async function expectToWork(each: Case, request: Try): Promise<void> {
  await each.act(asked(), { ...request, id: crypto.randomUUID() })
  const then = await observe(region, request.room)
  expect(each.isDone(then, world), `tried again: ${JSON.stringify(then)}`).toBe(true)
}

/** Expects the room to be as before or done, and in agreement with the answer. */
function expectOneOrTheOther(each: Case, before: Observation, seen: Observation, failure: unknown): void {
  const asBefore = JSON.stringify(seen) === JSON.stringify(before)
  const isDone = each.isDone(seen, world)
  const found = `${failure === null ? 'told as done' : `told as failed (${failure})`}: ${JSON.stringify(seen)}`
  if (failure === null) expect(isDone, found).toBe(true)
  // A failed job must leave the room as it was. After a call without an answer, either state is right.
  else if (failure instanceof RegionJobFailed && failure.state === 'failed') expect(asBefore, found).toBe(true)
  else expect(asBefore || isDone, found).toBe(true)
}

/** Whether the process has ended. When it ends by itself, it does so before its connections break. */
async function hasEnded(): Promise<boolean> {
  const answers = await fetch(`${region.url}/healthz`).then(
    () => true,
    () => false,
  )
  if (!answers) await region.kill()
  return !answers
}
