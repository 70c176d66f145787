import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { runInSandbox } from './run-in-sandbox.ts'

const never = new AbortController().signal
let folder: string
let plain: string
let endless: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomkeeper-sandbox-'))
  plain = join(folder, 'plain.db')
  new DatabaseSync(plain).exec('CREATE TABLE t (a)')
  endless = join(folder, 'endless.db')
  // The expression becomes slow only after the insert, which evaluates it too.
  new DatabaseSync(endless, { defensive: false }).exec(`
    CREATE TABLE t (x, y AS (x = 'b') NOT NULL); INSERT INTO t VALUES ('b'); PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET sql = replace(sql, 'x = ''b''',
      'instr(hex(zeroblob(10000000)), hex(zeroblob(5000000)) || x || ''b'') = 0')`)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const check = (path: string, limits: { seconds?: number; memoryBytes?: number; signal?: AbortSignal } = {}) =>
  runInSandbox('checkDatabase', { path, thorough: true }, { signal: never, seconds: 60, ...limits })

// First, so that no process is there which was started without the folder.
test('what a sandbox has compiled is kept for the next, although it is killed', async () => {
  const cache = join(folder, 'compiled')
  vi.stubEnv('NODE_COMPILE_CACHE', cache)
  onTestFinished(() => void vi.unstubAllEnvs())
  await check(plain)
  const folders = async () => {
    const names = await readdir(cache, { recursive: true })
    return new Set(names.filter((name) => name.includes('/')).map((name) => dirname(name)))
  }
  // One of the process, one of its thread.
  await expect.poll(async () => (await folders()).size, { timeout: 15_000 }).toBe(2)
})

test('work that says nothing for too long, or takes too much memory, is given up, and the next goes on', async () => {
  await expect(check(endless, { seconds: 1 })).rejects.toMatchObject({ code: 'takes-too-long' })
  await expect(check(endless, { memoryBytes: 1 })).rejects.toMatchObject({ code: 'takes-too-much' })
  await check(plain)
})

test('work that is cancelled ends although SQLite is in the middle of a statement', async () => {
  const controller = new AbortController()
  const checking = check(endless, { signal: controller.signal })
  const reason = new Error('cancelled')
  controller.abort(reason)
  await expect(checking).rejects.toBe(reason)
  await check(plain)
})

test('refusals come back as they were thrown, and several at once keep apart', async () => {
  const text = join(folder, 'text')
  await writeFile(text, 'no database at all, but long enough to be one '.repeat(100))
  const outcomes = await Promise.allSettled([check(text), check(plain), check(text), check(plain)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
  await expect(check(text)).rejects.toMatchObject({
    code: 'wrong-content',
    message: expect.stringContaining('database'),
  })
})
