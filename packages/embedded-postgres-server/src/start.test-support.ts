/** Data folders for tests, stopped and removed after each test, and programs that use them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, expect } from 'vitest'
import { processesOn } from './postmaster.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

export const testMilliseconds = 180_000
export const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

export const settings = { fsync: 'off' }
export const hold = new URL('./hold.ts', import.meta.url).pathname

export async function newDataDir(mode = 0o755): Promise<string> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-server-')))
  await chmod(dataDir, mode)
  cleanups.push(() => rm(dataDir, { recursive: true }))
  cleanups.push(() => endAllOn(dataDir))
  return dataDir
}

let folderWithData: Promise<string> | undefined
afterAll(async () => {
  if (folderWithData !== undefined) await rm(await folderWithData, { recursive: true })
})

/** A data folder after a start and a stop: a copy of one for all tests of a file, because making the data takes longest. */
export async function usedDataDir(): Promise<string> {
  folderWithData ??= makeData()
  const dataDir = await newDataDir()
  // Unlike Node's own copy, it keeps the owner.
  await promisify(execFile)('cp', ['-a', `${await folderWithData}/.`, dataDir])
  return dataDir
}

async function makeData(): Promise<string> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-server-')))
  await chmod(dataDir, 0o755)
  await (await startEmbeddedPostgres({ dataDir, settings })).stop()
  return dataDir
}

/** Ends the processes that a failed test left running. */
async function endAllOn(dataDir: string): Promise<void> {
  const folder = await realpath(join(dataDir, 'postgres')).catch(() => dataDir)
  for (const pid of await processesOn(folder)) {
    try {
      process.kill(pid, 'SIGQUIT')
    } catch {
      // The process has ended by itself.
    }
  }
  await expect.poll(() => processesOn(folder), { timeout: 20_000 }).toEqual([])
}

export async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ dataDir, settings })
  cleanups.push(() => started.stop())
  return started
}

/** Starts PostgreSQL in a program that can be killed, with a process group of its own, like a job of a terminal. */
export async function startInChild(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const options = JSON.stringify({ dataDir, settings })
  const child = spawn(process.execPath, [hold, options], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  cleanups.push(async () => child.kill('SIGKILL'))
  for await (const url of createInterface(child.stdout)) return { child, url }
  throw new Error('The child ended without a word.')
}

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

export async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows ?? []
  } finally {
    await client.end()
  }
}
