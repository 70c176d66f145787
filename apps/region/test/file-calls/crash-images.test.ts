/**
 * The process dies, or the power is cut, at every file call of everything that a region does. At each call, the test
 * copies what a death would leave on the disk (an image) while the job goes on; then it starts a region on each image.
 * So one run of a job tests all its deaths without a process of its own. `failing-calls.test.ts` shows with some real
 * kills that they leave the same as an image. Recovery also dies at each of its own calls, and the next start must be
 * as good. A run takes some of what a region does, `ALL=1` everything; both take a few, drawn by `SEED`, of the power
 * cuts and of the deaths in recovery. `FILE_CALLS=all` tries all of them.
 */
import { cpSync, existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampled, startObjectStore } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchFiles } from '#disk/files.ts'
import { newCreation } from '../region-process.ts'
import { type Case, cases } from './cases.ts'
import { type Image, type Opened, openRegionOn, takeImages } from './images.ts'
import { leftoversIn } from './leftovers.ts'
import { everything, isDrawn } from './sample.ts'
import { bucketIn, bystander, makeRoom, observe, prepareWorld, serves, type Try, type World } from './world.ts'

/** In memory (tmpfs) if possible: simulating power cuts needs a file system that does not reuse inodes. */
const inMemory = existsSync('/dev/shm')
const scratch = inMemory ? '/dev/shm' : tmpdir()
const store = await startObjectStore()
const wanted = inMemory ? (moment: string) => isDrawn(0.12, moment) : null

let folder: string
/** A prepared region's data; each case begins with a copy. */
let origin: string
let world: World
beforeAll(async () => {
  folder = await mkdtemp(join(scratch, 'roomkeeper-images-'))
  origin = join(folder, 'origin')
  const region = await openRegionOn(origin)
  world = await prepareWorld(region, store === null ? null : await bucketIn(store))
  await region.running.close()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await store?.stop()
})

const open = async (dataDir: string): Promise<Opened> => ({ ...(await openRegionOn(dataDir)), store: world.store })

for (const each of everything ? cases : sampled('jobs of a region that is killed', cases))
  test.skipIf(each.store && store === null)(
    `killed or without power at any file call, also of the recovery, the region is whole again and the same works: ${each.name}`,
    async () => {
      const known = new Map<string, Image>()
      const { images, before, request } = await imagesOf(each, known)
      expect(images.length).toBeGreaterThan(0)
      for (const image of images) {
        const recovery = isDrawn(0.1, `${each.name} ${image.when}`) ? await startOn(image, known) : []
        await expectWhole(each, image, { before, request, tryAgain: true })
        for (const again of recovery)
          await expectWhole(each, { ...again, isAnswered: image.isAnswered }, { before, request, tryAgain: false })
      }
    },
    300_000,
  )

interface Expected {
  before: unknown
  request: Try
  tryAgain: boolean
}

async function expectWhole(each: Case, image: Image, { before, request, tryAgain }: Expected): Promise<void> {
  const at = image.when
  const region = await open(image.folder).catch((error: unknown) => {
    throw new Error(`${at}: it does not start`, { cause: error })
  })
  try {
    expect(leftoversIn(image.folder)).toEqual([])
    expect((await region.client.status()).damagedRooms).toEqual([])
    const seen = await observe(region, 'alpha')
    expect(await serves(region, bystander)).toBe(true)
    if (image.isAnswered || !isSame(seen, before)) expect(each.isDone(seen, world), JSON.stringify(seen)).toBe(true)
    if (image.isAnswered && each.holds) expect(await each.holds(region, request), 'it does not hold').toBe(true)
    if (!tryAgain) return
    const again = { ...request, id: 'again' }
    await each.act(region, again)
    const then = await observe(region, 'alpha')
    expect(each.isDone(then, world), `then again: ${JSON.stringify(then)}`).toBe(true)
    if (each.holds) expect(await each.holds(region, again), 'the second one does not hold').toBe(true)
  } catch (error) {
    throw error instanceof Error ? new Error(`${at}: ${error.message}`, { cause: error }) : error
  } finally {
    await region.running.close()
  }
  expect(leftoversIn(image.folder), `${at}, then again`).toEqual([])
  await rm(image.folder, { recursive: true })
}

/** Starts a region on a copy of the image. @returns images of deaths during this start */
async function startOn(image: Image, known: Map<string, Image>): Promise<Image[]> {
  const dataDir = join(image.folder, '..', 'recovering')
  cpSync(image.folder, dataDir, { recursive: true, preserveTimestamps: true })
  const into = await mkdtemp(join(folder, 'recovery-'))
  const { images } = takeImages(dataDir, into, known, wanted)
  try {
    await (await open(dataDir)).running.close()
  } finally {
    watchFiles(null)
  }
  await rm(dataDir, { recursive: true })
  return images.map((found) => ({ ...found, when: `${image.when}, then ${found.when}` }))
}

/** Runs the case and takes an image of every state of the region's folder between two file calls. */
async function imagesOf(each: Case, known: Map<string, Image>) {
  const dataDir = await mkdtemp(join(folder, 'run-'))
  cpSync(origin, dataDir, { recursive: true })
  const region = await open(dataDir)
  const request = { room: 'alpha', creation: newCreation(), id: 'first' }
  if (!each.makesRoom) await makeRoom(region, 'alpha', request.creation)
  await each.prepare?.(region, 'alpha')
  const before = await observe(region, 'alpha')
  const into = await mkdtemp(join(folder, 'images-'))
  const taker = takeImages(dataDir, into, known, wanted)
  try {
    await each.act(region, request)
    taker.takeAnswered()
  } finally {
    watchFiles(null)
    await region.running.close()
  }
  await rm(dataDir, { recursive: true })
  return { images: taker.images, before, request: request }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
