/**
 * Runs regions in this process, and takes an image of every state that a death between two file calls may leave in a
 * region's folder: for a killed process a plain copy, for a power cut what power-cut.ts computes.
 */
import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createRegionClient } from '@roomkeeper/region-protocol'
import { type FileCall, watchFiles } from '#disk/files.ts'
import { openRunningRegion, type RunningRegion } from '#running-region.ts'
import { readSettings } from '#settings.ts'
import { systemPassword } from '../region-process.ts'
import { type Durability, followDurability } from './power-cut.ts'
import type { Request } from './world.ts'

const login = { userName: 'superuser', password: 'region password' }

export type Opened = Request & { running: RunningRegion }

export async function openRegionOn(dataDir: string): Promise<Opened> {
  const settings = readSettings({
    ...{ REGION_PORT: '0', REGION_DATA_DIR: dataDir, REGION_USER: login.userName, REGION_FAULTS: '1' },
    ...{ REGION_PASSWORD: login.password, REGION_SYSTEM_PASSWORD: systemPassword, REGION_EXPORT_COST: '10' },
  })
  const running = await openRunningRegion(settings)
  return { running, dataDir, url: running.url, client: createRegionClient({ url: running.url, ...login }) }
}

export interface Image {
  folder: string
  /** The moment of the death, for people. */
  when: string
  /** Whether the region had answered the request by then. */
  isAnswered: boolean
}

export interface ImageTaker {
  images: Image[]
  /** Takes an image of this moment, after the answer, unless there is an equal one. */
  takeAnswered(): void
}

/**
 * Takes an image for a kill at every moment.
 * @param wanted chooses the moments at which power cuts are simulated too; null: the file system does not allow it
 */
export function takeImages(
  dataDir: string,
  into: string,
  known: Map<string, Image>,
  wanted: ((moment: string) => boolean) | null,
): ImageTaker {
  const durability: Durability | null = wanted === null ? null : followDurability(dataDir)
  const images: Image[] = []
  let last = fingerprintOf(dataDir)

  let isAnswered = false
  function keep(folder: string, when: string): void {
    const hash = hashOf(folder)
    const equal = known.get(hash)
    if (equal !== undefined) {
      equal.isAnswered ||= isAnswered
      rmSync(folder, { recursive: true })
      return
    }
    const image = { folder, when, isAnswered }
    known.set(hash, image)
    images.push(image)
  }
  let made = 0
  const next = () => {
    made += 1
    return join(into, `image-${made}`)
  }
  function take(moment: string): void {
    const killed = next()
    cpSync(dataDir, killed, { recursive: true, preserveTimestamps: true })
    keep(killed, `killed ${moment}`)
    for (const how of ['forgotten', 'emptied'] as const) {
      if (durability === null || (!isAnswered && wanted?.(`${how} ${moment} ${images.length}`) === false)) continue
      const cut = next()
      durability.writeTo(cut, how)
      keep(cut, `power cut (${how}) ${moment}`)
    }
  }
  const see = (moment: 'before' | 'after', call: FileCall) => {
    durability?.[moment](call)
    const fingerprint = call.path.startsWith(dataDir) ? fingerprintOf(dataDir) : last
    if (fingerprint === last && !(durability !== null && call.call === 'sync' && moment === 'after')) return
    last = fingerprint
    take(`${moment} ${call.call} ${relative(dataDir, call.path)}`)
  }
  watchFiles({ before: (call) => see('before', call), after: (call) => see('after', call) })
  const takeAnswered = () => {
    isAnswered = true
    take('after the answer')
  }
  return { images, takeAnswered }
}

/** Changes whenever anything in the folder changes. */
function fingerprintOf(path: string): string {
  const { mtimeNs, size, ino } = statSync(path, { bigint: true })
  const own = `${path}:${ino}:${size}:${mtimeNs}\n`
  if (!statSync(path).isDirectory()) return own
  return (
    own +
    readdirSync(path)
      .map((name) => fingerprintOf(join(path, name)))
      .join('')
  )
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Equal for folders with the same names and contents, whatever the names of temporary files. */
function hashOf(root: string): string {
  const hash = createHash('sha256')
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      // SQLite makes these files anew.
      if (entry.name.endsWith('-shm')) continue
      hash.update(`${relative(root, path).replace(uuid, '*')}\0`)
      if (entry.isDirectory()) walk(path)
      else hash.update(readFileSync(path))
    }
  }
  walk(root)
  return hash.digest('hex')
}
