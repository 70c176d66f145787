/** A disk that fails at any call, and a process that dies at any call: a file is there whole or not at all. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type FileCall, fileFaultHit, planFileFault } from '../../../test/file-faults.ts'
import type { FileStore } from '../file-store.ts'
import type { Refusal } from '../refuse.ts'
import { createFolderStore } from './folder-store.ts'

const parent = await mkdtemp(join(tmpdir(), 'roomkeeper-folder-store-'))
afterAll(() => rm(parent, { recursive: true, force: true }))

const key = 'rooms/one/two.zip'
const content = Buffer.alloc(2_500_000, 'content of a file ')
const before = Buffer.from('what was there before')
let folder: string
let store: FileStore
beforeEach(async () => {
  folder = await mkdtemp(join(parent, 'store-'))
  store = createFolderStore(join(folder, 'backups'))
})

it('content that fails while its file is being opened leaves nothing', async () => {
  await store.put(key, pieces(content))
  const { error, hit } = await withFault({ at: 1, call: 'open', how: 'late' }, () =>
    store.put('uploads/x.zip', refused()),
  )
  expect(error).toEqual(new Error('refused'))
  expect(hit?.call).toBe('open')
  // A file that was opened after its removal would exist by now.
  await hit?.over
  expect(await files()).toEqual([key])
})

it('a part that cannot be removed at once does not hide why it was refused', async () => {
  const fault = { at: 1, call: 'remove', how: 'EIO' } as const
  const { error, hit } = await withFault(fault, () => store.put(key, refused()))
  expect(error).toEqual(new Error('refused'))
  expect(hit).not.toBeNull()
  await sweep()
  expect(await files()).toEqual([])
})

it('what was being stored under another key is not cleared away with what was under this one', async () => {
  const arriving = join(folder, 'backups', '.arriving')
  await store.put(key, pieces(content))
  for (const part of ['rooms+one+two.zip+x', 'rooms+one+b.zip+x', 'rooms+other+b.zip+x'])
    await writeFile(join(arriving, part), 'half of it')
  expect(await store.removeUnfinished('rooms/one/', inAnHour())).toBe(2)
  expect(await store.removeUnfinished('rooms/one/', inAnHour())).toBe(0)
  expect(await readdir(arriving)).toEqual(['rooms+other+b.zip+x'])
  expect(await store.removeUnfinished('rooms/', inAnHour())).toBe(1)
})

it('the last file takes its folder with it, also while another one is on its way there', async () => {
  await store.put(key, pieces(content))
  await store.put('rooms/one/three.zip', pieces(before))
  await store.remove('rooms/one/three.zip')
  await store.put('rooms/one/three.zip', removing())
  expect(await files()).toEqual(['rooms/one/three.zip'])
  await store.remove('rooms/one/three.zip')
  expect((await readdir(join(folder, 'backups'))).toSorted()).toEqual(['.arriving', 'rooms'])
  expect(await readdir(join(folder, 'backups', 'rooms'))).toEqual([])
  async function* removing() {
    yield content
    await store.remove(key)
  }
})

it('files are listed while folders beside them come and go', async () => {
  await store.put(key, pieces(before))
  let isOver = false
  const comingAndGoing = async (path: string) => {
    while (!isOver) {
      await store.put(`rooms/${path}.zip`, pieces(before))
      await store.remove(`rooms/${path}.zip`)
    }
  }
  const others = ['a/a', 'b/a', 'p/a', 'q/a', 'q/b'].map(comingAndGoing)
  try {
    for (let time = 0; time < 100; time += 1) expect(await listed('rooms/')).toContain(key)
  } finally {
    isOver = true
    await Promise.all(others)
  }
})

describe.each(['EIO', 'ENOSPC'] as const)('where any call fails with %s', (how) => {
  it('a file is kept whole or not at all, and can be kept again', async () => {
    const met = await atEveryCall(how, async (fail, at) => {
      const { error, hit } = await fail(() => store.put(key, pieces(content)))
      expect(error instanceof Error, at).toBe(hit !== null)
      if (how === 'ENOSPC' && hit !== null) expect((error as Refusal).code, at).toBe('storage-full')
      await sweep()
      if ((await files()).length > 0) await expectContent(content, at)
      await store.put(key, pieces(content))
      await expectContent(content, at)
    })
    expect(new Set(met)).toEqual(new Set<FileCall>(['mkdir', 'open', 'write', 'sync', 'close', 'rename']))
  })

  it('what was there stays until the new file is whole', async () => {
    await atEveryCall(how, async (fail, at) => {
      await store.put(key, pieces(before))
      const { error } = await fail(() => store.put(key, pieces(content)))
      const kept = await buffer(await store.open(key))
      expect(kept.equals(before) || kept.equals(content), at).toBe(true)
      if (error === null) expect(kept.equals(content)).toBe(true)
    })
  })

  it('a removal that failed can be done again', async () => {
    const met = await atEveryCall(how, async (fail, at) => {
      await store.put(key, pieces(content))
      const { error, hit } = await fail(() => store.remove(key))
      expect(error instanceof Error, at).toBe(hit !== null)
      await store.remove(key)
      expect(await files(), at).toEqual([])
    })
    expect(met).toEqual(['remove', 'open', 'sync', 'close'])
  })

  it('a read that failed is told, and another one reads all', async () => {
    const met = await atEveryCall(how, async (fail, at) => {
      await store.put(key, pieces(content))
      const { error, hit } = await fail(async () =>
        expect((await buffer(await store.open(key))).equals(content)).toBe(true),
      )
      if (hit !== null && hit.call !== 'close') expect(error, at).toMatchObject({ code: how })
      await expectContent(content, at)
    })
    expect(met).toContain('read')
  })
})

describe('where the process is killed at any call', () => {
  it.each(['put', 'remove'] as const)('%s leaves the file whole or not at all', { timeout: 180_000 }, async (what) => {
    // The folders exist already, as every process takes long; the tests above cover failures to create them.
    const other = 'rooms/one/other.zip'
    for (let at = 1; ; at++) {
      await store.put(other, pieces(before))
      if (what === 'remove') await store.put(key, pieces(before))
      else await store.remove(key)
      const isKilled = await inProcessKilledAt(at, what)
      await sweep()
      const left = (await files()).filter((each) => each !== other)
      if (left.length > 0) {
        expect(left).toEqual([key])
        await expectContent(before, `call ${at}`)
      }
      if (!isKilled) {
        expect(left).toEqual(what === 'put' ? [key] : [])
        return expect(at).toBeGreaterThan(3)
      }
    }
  })
})

type Hit = ReturnType<typeof fileFaultHit>
interface Met {
  error: unknown
  hit: Hit
}
type Fault = Omit<Parameters<typeof planFileFault>[0] & object, 'under'>

async function withFault(fault: Fault, work: () => Promise<unknown>): Promise<Met> {
  planFileFault({ under: folder, ...fault })
  const error = await work().then(
    () => null,
    (failure: unknown) => failure,
  )
  const hit = fileFaultHit()
  planFileFault(null)
  return { error, hit }
}

/** Runs again and again in an empty folder, with the fault one call later each time, until there are too few calls. */
async function atEveryCall(
  how: Fault['how'],
  attempt: (fail: (work: () => Promise<unknown>) => Promise<Met>, at: string) => Promise<void>,
): Promise<FileCall[]> {
  const met: FileCall[] = []
  for (let at = 1; ; at++) {
    await rm(join(folder, 'backups'), { recursive: true, force: true })
    let hit: Hit = null
    await attempt(async (work) => {
      const found = await withFault({ at, how }, work)
      hit = found.hit
      return found
    }, `call ${at}`)
    const last = hit as Hit
    if (last === null) return met
    met.push(last.call)
  }
}

/** @returns true: the process was killed; false: it was done before */
async function inProcessKilledAt(at: number, what: 'put' | 'remove'): Promise<boolean> {
  const program = join(import.meta.dirname, '../../../test/store-file.ts')
  const source = join(parent, 'content')
  await writeFile(source, before)
  const child = spawn(process.execPath, [program, folder, key, what, String(at), source], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(signal === 'SIGKILL' || code === 0).toBe(true)
  return signal === 'SIGKILL'
}

/** Sweeps as housekeeping does, while nothing is being stored. */
async function sweep(): Promise<void> {
  await store.removeUnfinished('', inAnHour())
}

const inAnHour = () => new Date(Date.now() + 3_600_000)

async function files(): Promise<string[]> {
  const root = join(folder, 'backups')
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((each) => each.isFile()).map((each) => relative(root, join(each.parentPath, each.name)))
}

async function listed(prefix: string): Promise<string[]> {
  const found: string[] = []
  for await (const { key: each } of store.list(prefix)) found.push(each)
  return found
}

async function expectContent(wanted: Buffer, at: string): Promise<void> {
  expect((await buffer(await store.open(key))).equals(wanted), at).toBe(true)
}

async function* pieces(all: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < all.length; start += 400_000) yield all.subarray(start, start + 400_000)
}

async function* refused(): AsyncGenerator<Buffer> {
  yield* []
  throw new Error('refused')
}
