import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { chmod, cp, lstat, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, describe, expect, it, test } from 'vitest'
import type { Application } from './application.ts'
import { processesOn } from './processes.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts'

const minute = 180_000
const isRoot = process.getuid?.() === 0
const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

test('a program finds what it stored after a stop and a start, on the same port', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  const first = await start(dataDir)
  await run(first.url, 'create table kept (n integer); insert into kept values (1)')
  await first.stop()
  await expect(run(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')

  const second = await start(dataDir)
  expect(await run(second.url, 'select n from kept')).toEqual([{ n: 1 }])
  expect(second.url).toBe(first.url)
})

test('texts are UTF-8 and letters outside ASCII have upper and lower case', { timeout: minute }, async () => {
  const { url } = await start(await newDataDir())
  expect(await run(url, `select lower('ÅØÜ') as small, 'Øre' ilike 'ø%' as found`)).toEqual([
    { small: 'åøü', found: true },
  ])
})

test('the password is random, asked for, and readable by the owner alone', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  const { url } = await start(dataDir)
  const { mode } = await stat(join(dataDir, 'postgres.json'))
  expect(mode & 0o777).toBe(0o600)
  const guess = new URL(url)
  guess.password = 'postgres'
  await expect(run(guess.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test.runIf(process.platform === 'linux')(
  'it listens on 127.0.0.1 and nowhere else, on no socket of a file either',
  { timeout: minute },
  async () => {
    const dataDir = await newDataDir()
    const { url } = await start(dataDir)
    expect(await placesWhereItListens(await postmasterPid(dataDir))).toEqual([`127.0.0.1:${new URL(url).port}`])
  },
)

test('a PostgreSQL that outlived a killed program is adopted', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  const killed = await startInChild(dataDir)
  const before = await postmasterPid(dataDir)
  killed.child.kill('SIGKILL')
  await once(killed.child, 'exit')

  const adopted = await start(dataDir)
  expect(adopted.url).toBe(killed.url)
  expect(await postmasterPid(dataDir)).toBe(before)
  await adopted.stop()
  await expect(run(adopted.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

test('two programs that start at once share one PostgreSQL, and the last to stop stops it', {
  timeout: minute,
}, async () => {
  const dataDir = await newDataDir()
  const [first, second] = await Promise.all([startInChild(dataDir), start(dataDir)])
  expect(first.url).toBe(second.url)

  await second.stop()
  expect(await run(first.url, 'select 1 as up')).toEqual([{ up: 1 }])
  first.child.stdin?.end()
  await once(first.child, 'exit')
  await expect(run(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

test('Ctrl+C in the terminal of the program does not reach PostgreSQL', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  const { child, url } = await startInChild(dataDir)
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await once(child, 'exit')
  expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
  await start(dataDir)
})

test('after a killed postmaster a busy backend is ended before the next start', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  const { child, url } = await startInChild(dataDir)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  // It computes without looking at signals of its lost postmaster.
  const busy = client.query('select count(*) from generate_series(1, 1000000000)').catch((error: Error) => error)
  await expect
    .poll(() => run(url, `select 1 from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()`))
    .toHaveLength(1)
  process.kill(await postmasterPid(dataDir), 'SIGKILL')

  const next = await start(dataDir)
  expect(await busy).toBeInstanceOf(Error)
  expect(await run(next.url, 'select 1 as up')).toEqual([{ up: 1 }])
})

test.runIf(process.platform === 'linux')(
  'a killed postmaster that is still a zombie does not stop the start',
  { timeout: minute },
  async () => {
    const dataDir = await newDataDir()
    const { child } = await startInChild(dataDir)
    // Its parent cannot take note of its end.
    child.kill('SIGSTOP')
    const pid = await postmasterPid(dataDir)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8')).toContain('(postgres) Z')
    const next = await start(dataDir)
    expect(await run(next.url, 'select 1 as up')).toEqual([{ up: 1 }])
  },
)

test('a PostgreSQL that dies under a running program is started again', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  const { url } = await start(dataDir)
  const before = await postmasterPid(dataDir)
  process.kill(before, 'SIGKILL')
  await expect.poll(() => run(url, 'select 1 as up').catch(() => []), { timeout: 30_000 }).toEqual([{ up: 1 }])
  expect(await postmasterPid(dataDir)).not.toBe(before)
})

test('a postmaster.pid whose number belongs to another process by now does not stop the start', {
  timeout: minute,
}, async () => {
  const dataDir = await newDataDir()
  const first = await start(dataDir)
  await first.stop()
  const stale = [process.pid, join(dataDir, 'postgres'), 1, 1, '', '127.0.0.1', '', 'ready'].join('\n')
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${stale}\n`)
  const second = await start(dataDir)
  expect(await run(second.url, 'select 1 as up')).toEqual([{ up: 1 }])
})

test('a start that was killed while it made the data leaves nothing behind', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  await writeFile(join(dataDir, 'postgres.new-1'), 'half')
  await start(dataDir)
  expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([])
})

test('data whose password was lost is left alone, with a clear word', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  const first = await start(dataDir)
  await first.stop()
  await rm(join(dataDir, 'postgres.json'))
  await expect(start(dataDir)).rejects.toThrow('postgres.json is missing: it holds the password of')
})

test.runIf(isRoot)(
  'as root, a data folder that is closed to others keeps its data outside',
  { timeout: minute },
  async () => {
    const dataDir = await newDataDir(0o700)
    const { url } = await start(dataDir)
    const link = join(dataDir, 'postgres')
    const outside = await realpath(link)
    cleanups.unshift(() => rm(outside, { recursive: true }))
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
    expect((await stat(outside)).uid).not.toBe(0)
  },
)

const canUnshare =
  process.platform === 'linux' &&
  isRoot &&
  spawnSync('unshare', ['--pid', '--net', '--mount', '--fork', '--mount-proc', 'ip', 'link', 'set', 'lo', 'up'])
    .status === 0

describe.skipIf(!canUnshare)('a second container on the same volume', () => {
  it('is refused, and the PostgreSQL of the first goes on untouched', { timeout: minute }, async () => {
    const dataDir = await newDataDir()
    const { url } = await start(dataDir)
    const before = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    const words = await wordsOfContainer(dataDir, { patience: 0 })
    expect(words).toMatch(
      /postgres is in use by another PostgreSQL, in another container, started on .+ Two must never/,
    )
    expect(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).toBe(before)
    expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
  })

  it('is refused through another mount, and also when the program of the first was killed', {
    timeout: minute,
  }, async () => {
    const dataDir = await newDataDir()
    const { child, url } = await startInChild(dataDir)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const words = await wordsOfContainer(dataDir, { patience: 0, mount: true })
    expect(words).toContain('is in use by another PostgreSQL')
    expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
    await start(dataDir)
  })

  it('waits for the first to end, and finds what it stored', { timeout: minute }, async () => {
    const dataDir = await newDataDir()
    const first = await start(dataDir)
    await run(first.url, 'create table kept (n integer); insert into kept values (1)')
    const second = startContainer(dataDir, { patience: 120 })
    await second.said('waiting for the data folder')
    await first.stop()
    const url = await second.said('postgres://')
    expect(url).toContain('@127.0.0.1:')
    second.child.stdin?.end()
    await second.ended
    const third = await start(dataDir)
    expect(await run(third.url, 'select n from kept')).toEqual([{ n: 1 }])
  })

  it('starts where the first was killed as a whole, whatever number its PostgreSQL had', {
    timeout: minute,
  }, async () => {
    const dataDir = await newDataDir()
    const first = startContainer(dataDir, { patience: 0 })
    await first.said('postgres://')
    // With the first process of a process namespace all others end.
    first.child.kill('SIGKILL')
    await first.ended
    const stale = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    expect(Number(stale.split('\n')[0])).toBeGreaterThan(0)
    const { url } = await start(dataDir)
    expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
  })

  it('that shares the network shares the PostgreSQL, and does not stop what it cannot see', {
    timeout: minute,
  }, async () => {
    const dataDir = await newDataDir()
    const { child, url } = await startInChild(dataDir)
    const before = await postmasterPid(dataDir)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const second = startContainer(dataDir, { patience: 0, sharesNetwork: true })
    expect(await second.said('postgres://')).toBe(url)
    second.child.stdin?.end()
    await second.ended
    expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
    expect(await postmasterPid(dataDir)).toBe(before)
    await start(dataDir)
  })
})

test('the lock of the data folder is held until the last process on it has ended', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  const first = await start(dataDir)
  const lock = join(dataDir, 'postgres', 'example.lock')
  const isFree = () => spawnSync('flock', ['--nonblock', lock, 'true']).status === 0
  expect(isFree()).toBe(false)
  await first.stop()
  await expect.poll(isFree).toBe(true)
})

test('a copy of a data folder in use never leads to the data of the first, though it knows its port and password', {
  timeout: minute,
}, async () => {
  const dataDir = await newDataDir()
  await (await start(dataDir)).stop()
  const copy = await newDataDir()
  await cp(dataDir, copy, { recursive: true })
  const { uid, gid } = await stat(join(dataDir, 'postgres'))
  const first = await start(dataDir)
  await cp(join(dataDir, 'postgres', 'postmaster.pid'), join(copy, 'postgres', 'postmaster.pid'))
  spawnSync('chown', ['-R', `${uid}:${gid}`, join(copy, 'postgres')])
  const second = await start(copy)
  expect(new URL(second.url).port).not.toBe(new URL(first.url).port)
  await run(second.url, 'create table of_the_copy (n integer)')
  expect(await run(first.url, `select 1 from pg_class where relname = 'of_the_copy'`)).toEqual([])
})

test('data of an older PostgreSQL is left alone, with a word on what to do', { timeout: minute }, async () => {
  const dataDir = await newDataDir()
  const first = await start(dataDir)
  await first.stop()
  const version = join(dataDir, 'postgres', 'PG_VERSION')
  const ours = await readFile(version, 'utf8')
  await writeFile(version, '17\n')
  await expect(start(dataDir)).rejects.toThrow(/that of PostgreSQL 17.+Run "example upgrade" first/)
  await writeFile(version, '99\n')
  await expect(start(dataDir)).rejects.toThrow(/that of PostgreSQL 99.+Start the newer version of Example/)
  await writeFile(version, ours)
  await start(dataDir)
})

const application: Application = {
  name: 'example',
  title: 'Example',
  advice: { 'data-too-old': 'Run "example upgrade" first.' },
}
const settings = { fsync: 'off' }
const hold = new URL('./hold.ts', import.meta.url).pathname

async function newDataDir(mode = 0o755): Promise<string> {
  const dataDir = await realpath(await mkdtemp(join(tmpdir(), 'embedded-postgres-server-')))
  await chmod(dataDir, mode)
  cleanups.push(() => rm(dataDir, { recursive: true }))
  cleanups.push(() => endAllOn(dataDir))
  return dataDir
}

/** What a failed test left running. */
async function endAllOn(dataDir: string): Promise<void> {
  const folder = await realpath(join(dataDir, 'postgres')).catch(() => dataDir)
  for (const pid of await processesOn(folder)) {
    try {
      process.kill(pid, 'SIGQUIT')
    } catch {
      // It has ended by itself.
    }
  }
  await expect.poll(() => processesOn(folder), { timeout: 20_000 }).toEqual([])
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ application, dataDir, settings })
  cleanups.push(() => started.stop())
  return started
}

/** As a program that can be killed; in a process group of its own, like a job of a terminal. */
async function startInChild(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const options = JSON.stringify({ application, dataDir, settings })
  const child = spawn(process.execPath, [hold, options], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  cleanups.push(async () => child.kill('SIGKILL'))
  for await (const url of createInterface(child.stdout)) return { child, url }
  throw new Error('The child ended without a word.')
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Of all kinds of sockets that wait for connections: `address:port`, or the path of a file. */
async function placesWhereItListens(pid: number): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`)
  const links = await Promise.all(descriptors.map((each) => readlink(`/proc/${pid}/fd/${each}`).catch(() => '')))
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  expect(inodes.size).toBeGreaterThan(0)
  const table = async (name: string) =>
    (await readFile(`/proc/${pid}/net/${name}`, 'utf8').catch(() => ''))
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
  const listening = '0A'
  const network = [...(await table('tcp')), ...(await table('tcp6'))]
    .filter((fields) => fields[3] === listening && inodes.has(fields[9] ?? ''))
    .map((fields) => addressOf(fields[1] ?? ''))
  const acceptsConnections = '00010000'
  const files = (await table('unix'))
    .filter((fields) => fields[3] === acceptsConnections && inodes.has(fields[6] ?? ''))
    .map((fields) => fields[7] ?? 'without a name')
  return [...network, ...files]
}

/** As /proc/net/tcp has it: hexadecimal, the bytes of an IPv4 address from the last to the first. */
function addressOf(text: string): string {
  const [address = '', port = ''] = text.split(':')
  const shown = address.length === 8 ? [...Buffer.from(address, 'hex')].reverse().join('.') : address
  return `${shown}:${Number.parseInt(port, 16)}`
}

async function run(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows ?? []
  } finally {
    await client.end()
  }
}

interface Container {
  child: ChildProcess
  /** The first line that begins or contains so. */
  said(words: string): Promise<string>
  ended: Promise<unknown>
  words(): string
}

/** A program that sees other processes, and unless `sharesNetwork` another network, as one in a container does. */
function startContainer(
  dataDir: string,
  given: { patience: number; mount?: boolean; sharesNetwork?: boolean },
): Container {
  const inside = given.mount ? join(dataDir, '..', `mounted-${basename(dataDir)}`) : dataDir
  const options = JSON.stringify({ application, dataDir: inside, settings, patienceSeconds: given.patience })
  const steps = [
    given.sharesNetwork ? 'true' : 'ip link set lo up',
    given.mount ? `mkdir -p ${inside} && mount --bind ${dataDir} ${inside}` : 'true',
    `exec ${process.execPath} ${hold} '${options}'`,
  ]
  if (given.mount) cleanups.push(() => rm(inside, { recursive: true, force: true }))
  const apart = ['--pid', '--mount', '--ipc', ...(given.sharesNetwork ? [] : ['--net']), '--fork', '--kill-child']
  const child = spawn('unshare', [...apart, '--mount-proc', 'sh', '-c', steps.join(' && ')], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  cleanups.push(async () => child.kill('SIGKILL'))
  const lines: string[] = []
  const heard = new EventEmitter()
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => {
      lines.push(line)
      heard.emit('line')
    })
  }
  const ended = once(child, 'close').finally(() => heard.emit('line'))
  return {
    child,
    ended,
    words: () => lines.join('\n'),
    async said(words) {
      for (;;) {
        const line = lines.find((each) => each.includes(words))
        if (line !== undefined) return line
        if (child.exitCode !== null) throw new Error(`It ended without '${words}':\n${lines.join('\n')}`)
        await once(heard, 'line')
      }
    },
  }
}

async function wordsOfContainer(dataDir: string, given: Parameters<typeof startContainer>[1]): Promise<string> {
  const container = startContainer(dataDir, given)
  await container.ended
  return container.words()
}
