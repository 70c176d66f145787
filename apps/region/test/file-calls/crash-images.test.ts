/**
 * The process dies at every file call of everything that a region does. What it would leave on the disk there is copied
 * at that very moment, while the job goes on; then a region starts on each of the copies. So one run of a job gives all
 * its deaths, and none needs a process. `real-deaths.test.ts` shows by some real ones that a copy is what a kill leaves.
 */
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRegionClient } from '@roomkeeper/region-protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FileCall, watchFiles } from '#disk/files.ts'
import { openRunningRegion, type RunningRegion } from '#running-region.ts'
import { readSettings } from '#settings.ts'
import { newCreation, systemPassword } from '../region-process.ts'
import {
  type Asked,
  bystander,
  type Case,
  cases,
  look,
  makeRoom,
  prepareWorld,
  serves,
  type Try,
  type World,
} from './cases.ts'
import { leftoversIn } from './leftovers.ts'

/** Memory, where there is a disk of it: whether fsync reaches a disk is not what is tried here. */
const scratch = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const login = { userName: 'superuser', password: 'region password' }

type Opened = Asked & { running: RunningRegion }
async function open(dataDir: string): Promise<Opened> {
  const settings = readSettings({
    ...{ REGION_PORT: '0', REGION_DATA_DIR: dataDir, REGION_USER: login.userName },
    ...{ REGION_PASSWORD: login.password, REGION_SYSTEM_PASSWORD: systemPassword },
  })
  const running = await openRunningRegion(settings)
  return { running, dataDir, url: running.url, client: createRegionClient({ url: running.url, ...login }) }
}

let folder: string
/** A region's data before anything was tried; each case begins with a copy. */
let origin: string
let world: World
beforeAll(async () => {
  folder = await mkdtemp(join(scratch, 'roomkeeper-images-'))
  origin = join(folder, 'origin')
  const region = await open(origin)
  world = await prepareWorld(region)
  await region.running.close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(cases)('killed at any file call, the region is whole again and the same works: $name', async (each) => {
  const images = await imagesOf(each)
  expect(images.length).toBeGreaterThan(0)
  for (const image of images) {
    const at = `killed ${image.when}`
    const region = await open(image.folder)
    try {
      expect(leftoversIn(image.folder), at).toEqual([])
      const seen = await look(region, 'alpha')
      expect(await serves(region, bystander), at).toBe(true)
      if (!isSame(seen, image.before)) expect(each.isDone(seen, world), `${at}: ${JSON.stringify(seen)}`).toBe(true)
      if (each.takesLong && image !== images.at(-1)) continue
      await each.act(region, { ...image.wish, id: 'again' })
      const then = await look(region, 'alpha')
      expect(each.isDone(then, world), `${at}, then again: ${JSON.stringify(then)}`).toBe(true)
    } catch (error) {
      throw error instanceof Error ? new Error(`${at}: ${error.message}`, { cause: error }) : error
    } finally {
      await region.running.close()
    }
    expect(leftoversIn(image.folder), `${at}, then again`).toEqual([])
    await rm(image.folder, { recursive: true })
  }
})

let imagesMade = 0
interface Image {
  folder: string
  when: string
  before: unknown
  wish: Try
}

/** Every state of the region's folder that there is between two of its file calls. */
async function imagesOf(each: Case): Promise<Image[]> {
  const dataDir = await mkdtemp(join(folder, 'run-'))
  cpSync(origin, dataDir, { recursive: true })
  const region = await open(dataDir)
  const wish = { room: 'alpha', creation: newCreation(), id: 'first' }
  if (!each.makesRoom) await makeRoom(region, 'alpha', wish.creation)
  await each.prepare?.(region, 'alpha')
  const before = await look(region, 'alpha')
  const images: Image[] = []
  let last = markOf(dataDir)
  const copy = (moment: string) => (call: FileCall) => {
    const mark = call.path.startsWith(dataDir) ? markOf(dataDir) : last
    if (mark === last) return
    last = mark
    imagesMade += 1
    const image = join(folder, `image-${imagesMade}`)
    cpSync(dataDir, image, { recursive: true, preserveTimestamps: true })
    images.push({ folder: image, when: `${moment} ${call.call} ${call.path.slice(dataDir.length)}`, before, wish })
  }
  watchFiles({ before: copy('before'), after: copy('after') })
  try {
    await each.act(region, wish)
  } finally {
    watchFiles(null)
    await region.running.close()
  }
  await rm(dataDir, { recursive: true })
  return images
}

/** Differs when anything in the folder does. */
function markOf(path: string): string {
  const { mtimeNs, size, ino } = statSync(path, { bigint: true })
  const own = `${path}:${ino}:${size}:${mtimeNs}\n`
  if (!statSync(path).isDirectory()) return own
  return (
    own +
    readdirSync(path)
      .map((name) => markOf(join(path, name)))
      .join('')
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
