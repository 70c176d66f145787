import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, lstat, readdir, readFile, readlink, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import {
  cleanups,
  newDataDir,
  postmasterPid,
  run,
  start,
  startInChild,
  testMilliseconds,
  usedDataDir,
} from './start.test-support.ts'

const isRoot = process.getuid?.() === 0

test('a program finds what it stored after a stop and a start, on the same port', {
  timeout: testMilliseconds,
}, async () => {
  const dataDir = await newDataDir()
  const first = await start(dataDir)
  await run(first.url, 'create table kept (n integer); insert into kept values (1)')
  await first.stop()
  await expect(run(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')

  const second = await start(dataDir)
  expect(await run(second.url, 'select n from kept')).toEqual([{ n: 1 }])
  expect(second.url).toBe(first.url)
})

test('texts are UTF-8 and letters outside ASCII have upper and lower case', { timeout: testMilliseconds }, async () => {
  const { url } = await start(await newDataDir())
  expect(await run(url, `select lower('ÅØÜ') as small, 'Øre' ilike 'ø%' as found`)).toEqual([
    { small: 'åøü', found: true },
  ])
})

test('the password is random, asked for, and readable by the owner alone', { timeout: testMilliseconds }, async () => {
  const dataDir = await usedDataDir()
  const { url } = await start(dataDir)
  const { mode } = await stat(join(dataDir, 'postgres.json'))
  expect(mode & 0o777).toBe(0o600)
  const guess = new URL(url)
  guess.password = 'postgres'
  await expect(run(guess.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test.runIf(process.platform === 'linux')(
  'it listens on 127.0.0.1 and nowhere else, on no socket of a file either',
  { timeout: testMilliseconds },
  async () => {
    const dataDir = await usedDataDir()
    const { url } = await start(dataDir)
    expect(await placesWhereItListens(await postmasterPid(dataDir))).toEqual([`127.0.0.1:${new URL(url).port}`])
  },
)

test('a PostgreSQL that outlived a killed program is adopted', { timeout: testMilliseconds }, async () => {
  const dataDir = await usedDataDir()
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
  timeout: testMilliseconds,
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

test('Ctrl+C in the terminal of the program does not reach PostgreSQL', { timeout: testMilliseconds }, async () => {
  const dataDir = await usedDataDir()
  const { child, url } = await startInChild(dataDir)
  process.kill(-(child.pid ?? 0), 'SIGINT')
  await once(child, 'exit')
  expect(await run(url, 'select 1 as up')).toEqual([{ up: 1 }])
  await start(dataDir)
})

test('after a killed postmaster a busy backend is ended before the next start', {
  timeout: testMilliseconds,
}, async () => {
  const dataDir = await usedDataDir()
  const { child, url } = await startInChild(dataDir)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  // This statement computes without noticing that its postmaster is gone.
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
  { timeout: testMilliseconds },
  async () => {
    const dataDir = await usedDataDir()
    const { child } = await startInChild(dataDir)
    // A stopped parent cannot reap the postmaster, which stays a zombie.
    child.kill('SIGSTOP')
    const pid = await postmasterPid(dataDir)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFile(`/proc/${pid}/stat`, 'utf8')).toContain('(postgres) Z')
    const next = await start(dataDir)
    expect(await run(next.url, 'select 1 as up')).toEqual([{ up: 1 }])
  },
)

test('a PostgreSQL that dies under a running program is started again', { timeout: testMilliseconds }, async () => {
  const dataDir = await usedDataDir()
  const { url } = await start(dataDir)
  const before = await postmasterPid(dataDir)
  process.kill(before, 'SIGKILL')
  await expect.poll(() => run(url, 'select 1 as up').catch(() => []), { timeout: 30_000 }).toEqual([{ up: 1 }])
  expect(await postmasterPid(dataDir)).not.toBe(before)
})

test('a postmaster.pid whose number belongs to another process by now does not stop the start', {
  timeout: testMilliseconds,
}, async () => {
  const dataDir = await usedDataDir()
  const stale = [process.pid, join(dataDir, 'postgres'), 1, 1, '', '127.0.0.1', '', 'ready'].join('\n')
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${stale}\n`)
  const second = await start(dataDir)
  expect(await run(second.url, 'select 1 as up')).toEqual([{ up: 1 }])
})

test('another program that listens on the port is not adopted, and the start goes to another port', {
  timeout: testMilliseconds,
}, async () => {
  const dataDir = await usedDataDir()
  const { url } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as { url: string }
  const port = Number(new URL(url).port)
  let connections = 0
  const other = createServer((socket) => {
    connections += 1
    socket.end('What?')
  })
  other.listen(port, '127.0.0.1')
  cleanups.push(async () => other.close())
  // This is what a killed postmaster leaves; no process has its id.
  const left = [4_194_303, join(dataDir, 'postgres'), 0, port, '', '127.0.0.1', '', 'stopping']
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${left.join('\n')}\n`)
  const started = await start(dataDir)
  expect(connections).toBeGreaterThan(0)
  expect(new URL(started.url).port).not.toBe(String(port))
  expect(await run(started.url, 'select 1 as up')).toEqual([{ up: 1 }])
})

test('a start that was killed while it made the data leaves nothing behind', {
  timeout: testMilliseconds,
}, async () => {
  const dataDir = await newDataDir()
  await writeFile(join(dataDir, 'postgres.new-1'), 'half')
  await start(dataDir)
  expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([])
})

test('data whose password was lost is left alone, with a clear word', { timeout: testMilliseconds }, async () => {
  const dataDir = await usedDataDir()
  await rm(join(dataDir, 'postgres.json'))
  await expect(start(dataDir)).rejects.toThrow('postgres.json is missing: it holds the password of')
})

test.runIf(isRoot)(
  'as root, a data folder that is closed to others keeps its data outside',
  { timeout: testMilliseconds },
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

test('the lock of the data folder is held until the last process on it has ended', {
  timeout: testMilliseconds,
}, async () => {
  const dataDir = await usedDataDir()
  const first = await start(dataDir)
  const lock = join(dataDir, 'postgres', 'roomkeeper.lock')
  const isFree = () => spawnSync('flock', ['--nonblock', lock, 'true']).status === 0
  expect(isFree()).toBe(false)
  await first.stop()
  await expect.poll(isFree).toBe(true)
})

test('a copy of a data folder in use never leads to the data of the first, though it knows its port and password', {
  timeout: testMilliseconds,
}, async () => {
  const dataDir = await usedDataDir()
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

test('data of an older PostgreSQL is left alone, with a word on what to do', {
  timeout: testMilliseconds,
}, async () => {
  const dataDir = await usedDataDir()
  const version = join(dataDir, 'postgres', 'PG_VERSION')
  const ours = await readFile(version, 'utf8')
  await writeFile(version, '17\n')
  await expect(start(dataDir)).rejects.toThrow(/that of PostgreSQL 17.+Run "npm run postgres:upgrade" first/)
  await writeFile(version, '99\n')
  await expect(start(dataDir)).rejects.toThrow(/that of PostgreSQL 99.+Start the newer version of Roomkeeper/)
  await writeFile(version, ours)
  await start(dataDir)
})

/** All sockets on which the process listens: `address:port`, or the path of a file. */
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

/** Parses an address from /proc/net/tcp: hexadecimal, with the bytes of an IPv4 address in reverse order. */
function addressOf(text: string): string {
  const [address = '', port = ''] = text.split(':')
  const shown = address.length === 8 ? [...Buffer.from(address, 'hex')].reverse().join('.') : address
  return `${shown}:${Number.parseInt(port, 16)}`
}
