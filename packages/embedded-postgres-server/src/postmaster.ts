/**
 * Starts, adopts and stops the postmaster, always under the start lock. Adopting comes first: a server is ours if it
 * answers to our random password on the port of postmaster.pid and works on this folder. A new postmaster is started
 * under the folder's lock. postmaster.pid belongs to PostgreSQL and is never removed here.
 *
 * The folder's lock is the kernel's lock (flock) on the file `roomkeeper.lock` in the folder. The postmaster and all
 * processes that it starts hold it, because they inherit the open file. So the lock outlives a killed program, ends
 * with the last of these processes, and applies to every container and mount that reaches the folder, where process ids
 * mean nothing. The file is never replaced, because the lock is on the file itself.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { replaceFile } from '@roomkeeper/durable-file'
import pg from 'pg'
import {
  type Cluster,
  checkVersion,
  fatalLine,
  listenBriefly,
  owner,
  type Settings,
  urlOf,
  usePort,
} from './cluster.ts'
import { cleanEnvironment, runProgram, succeeds } from './programs.ts'

/** The part of a pino log that this package needs: fields and a constant message. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface StartOptions {
  log: Log
  settings?: Settings
  /** Whether it may use another port if the remembered one is in use. */
  mayChangePort: boolean
}

/** Another PostgreSQL runs on the data, where this process can neither reach nor see it. */
export class FolderInUse extends Error {}

/** When it returns, the server answers on `cluster.connection`. */
export async function ensurePostmaster(cluster: Cluster, options: StartOptions): Promise<void> {
  const { log, mayChangePort } = options
  const port = await runningPort(cluster)
  if (port !== null) {
    await usePort(cluster, port)
    return log.info({ port }, 'adopted the running PostgreSQL')
  }
  await checkVersion(cluster)
  await endLeftBehind(cluster, log)
  await checkUnlocked(cluster)
  if (!(await succeeds(listenBriefly(cluster.connection.port)))) {
    if (!mayChangePort) throw new Error(`PostgreSQL could not start: port ${cluster.connection.port} is in use.`)
    await usePort(cluster, await listenBriefly())
  }
  await startPostmaster(cluster, options)
}

/** Shuts down fast: running statements are cancelled; committed data is on disk. */
export async function stopPostmaster({ folder }: Cluster, log: Log): Promise<void> {
  const running = await readPostmasterFile(folder)
  if (running === null) return
  // One that was adopted from another container. Its process id may belong to another process here.
  if (!(await runsOn(folder, running.pid)))
    return log.info({}, 'the embedded PostgreSQL does not run here and is left to those who see it')
  signal(running.pid, 'SIGINT')
  for (const deadline = Date.now() + 60_000; await runsOn(folder, running.pid); await pause(50))
    if (Date.now() > deadline) return log.warn({}, 'the embedded PostgreSQL did not stop within a minute')
}

/** @throws {FolderInUse} if processes hold the folder's lock, which here also means that they cannot be adopted */
export async function checkUnlocked(cluster: Cluster): Promise<void> {
  const { folder: cwd, identity } = cluster
  const [program, parameters] = await underLock(cluster, 'true')
  const { code } = await runProgram(program, parameters, { identity, cwd })
  if (code === lockedOutCode) throw await folderInUse(cluster)
}

/** The port of a postmaster that already runs, or null. Waits while a postmaster starts, recovers or stops. */
export async function runningPort(cluster: Cluster): Promise<number | null> {
  const { folder } = cluster
  // Recovery after a crash can take minutes.
  const deadline = Date.now() + 10 * 60_000
  for (;;) {
    const found = await readPostmasterFile(folder)
    if (found === null) return null
    if (await answers(cluster, found)) return found.port
    if (!(await runsOn(folder, found.pid))) return null
    if (Date.now() > deadline)
      throw new Error(`PostgreSQL (process ${found.pid}) runs on ${folder} but does not answer.`)
    await pause(100)
  }
}

/** A port of 0 means that it has only just started. */
type Postmaster = { pid: number; port: number }

async function readPostmasterFile(folder: string): Promise<Postmaster | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3] ?? 0)]
  return pid > 0 ? { pid, port } : null
}

/** Whether our PostgreSQL answers there. False while it starts, recovers or shuts down. */
async function answers(cluster: Cluster, { pid, port }: Postmaster): Promise<boolean> {
  if (port === 0) return false
  const connectionString = urlOf({ ...cluster.connection, port }, 'postgres')
  const limits = { connectionTimeoutMillis: 3_000, query_timeout: 3_000 }
  return withClient({ connectionString, ...limits }, (client) => worksOn(cluster, pid, client)).catch(() => false)
}

/**
 * Whether the server works on this folder. The server of a copied data folder has our password too, and the copy of its
 * postmaster.pid leads to it. So the server has to tell the name of a file that only our folder has.
 */
async function worksOn({ folder }: Cluster, pid: number, client: pg.Client): Promise<boolean> {
  const name = `${owner}.${randomUUID()}`
  const file = join(folder, name)
  // The disk may be full.
  if (!(await succeeds(writeFile(file, '')))) return isLinux && (await runsOn(folder, pid))
  try {
    const { rows } = await client.query(`select pg_ls_dir('.') as name`)
    return rows.some((row) => row.name === name)
  } finally {
    await rm(file, { force: true })
  }
}

export async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    // A server that does not answer does not confirm the end of the connection either.
    await Promise.race([client.end().catch(() => undefined), pause(1_000, undefined, { ref: false })])
  }
}

/**
 * Ends the backends of a postmaster that is gone. They notice its end by themselves, but a busy one may take long, and
 * PostgreSQL must not be started while one of them runs.
 */
async function endLeftBehind({ folder }: Cluster, log: Log): Promise<void> {
  for (let waited = 0; ; waited += 100) {
    const left = await processesOn(folder)
    if (left.length === 0) return
    if (waited === 1_000) log.warn({ processes: left }, 'ending processes that a killed PostgreSQL left behind')
    for (const pid of waited < 1_000 ? [] : left) signal(pid, waited < 5_000 ? 'SIGQUIT' : 'SIGKILL')
    await pause(100)
  }
}

async function startPostmaster(cluster: Cluster, { log, settings = {} }: StartOptions): Promise<void> {
  const { folder, identity, connection } = cluster
  const begun = Date.now()
  const given = Object.entries(serverSettings(connection.port, settings)).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const [program, parameters] = await underLock(cluster, cluster.binaries.postgres, '-D', folder, ...given)
  const env = { ...cleanEnvironment(), ...(await staleNumber(folder)) }
  const firstOutput = join(cluster.dataDir, 'postgres-start.log')
  const output = await open(firstOutput, 'w', 0o600)
  const stdio = ['ignore' as const, output.fd, output.fd]
  // In a session of its own (detached), so that Ctrl+C in our terminal does not end it before us.
  const child = spawn(program, parameters, { detached: true, stdio, cwd: folder, env, ...identity })
  child.unref()
  const ended = succeeds(once(child, 'close')).then(() => true)
  await output.close()
  let isAnnounced = false
  while (!(await Promise.race([ended, pause(50, false)]))) {
    const milliseconds = Date.now() - begun
    const started = await readPostmasterFile(folder)
    if (started !== null && (await answers(cluster, started))) {
      log.info({ port: started.port, milliseconds }, 'PostgreSQL started')
      return recordStarter(cluster)
    }
    if (!isAnnounced && milliseconds > 5_000)
      log.info({}, 'PostgreSQL is recovering after a crash; this can take minutes')
    isAnnounced ||= milliseconds > 5_000
  }
  if (child.exitCode === lockedOutCode) throw await folderInUse(cluster)
  throw new Error(`PostgreSQL could not start: ${await lastWords(folder, firstOutput)}`)
}

/**
 * The process id in a postmaster.pid that was left behind may by now belong to a zombie or to another program, and
 * PostgreSQL would take that process for a postmaster. PostgreSQL ignores the id of its grandparent, which it is told
 * in this variable (as pg_ctl does), so the variable names that id. The folder's lock, and PostgreSQL's own check of
 * its shared memory, still ensure that no other PostgreSQL uses the folder.
 */
async function staleNumber(folder: string): Promise<Record<string, string>> {
  const left = await readPostmasterFile(folder)
  if (left === null || !isLinux || (await runsOn(folder, left.pid))) return {}
  return { PG_GRANDPARENT_PID: String(left.pid) }
}

/** Why the postmaster has ended: its fatal line, which is in the log from when that is open, and before in the output. */
async function lastWords(folder: string, firstOutput: string): Promise<string> {
  // The process that writes the log outlives the postmaster by a moment.
  const deadline = Date.now() + 15_000
  while ((await processesOn(folder)).length > 0 && Date.now() < deadline) await pause(50)
  const log = join(folder, 'log', `postgresql-${new Date().toUTCString().slice(0, 3)}.log`)
  const said = (await readFile(firstOutput, 'utf8')).trim()
  const logged = await readFile(log, 'utf8').catch(() => '')
  return fatalLine(said) ?? fatalLine(logged) ?? said
}

/** The exit code of an `underLock` command if another process holds the lock. */
const lockedOutCode = 98

/**
 * The command that takes the folder's lock and becomes the program, or ends at once with `lockedOutCode`. Other systems
 * than Linux have no `flock` program, but no process namespaces either: there, PostgreSQL's postmaster.pid is enough.
 */
async function underLock({ folder }: Cluster, program: string, ...parameters: string[]): Promise<[string, string[]]> {
  if (!isLinux) return [program, parameters]
  const { output } = await runProgram('flock', ['--help']).catch(() => ({ output: '' }))
  // BusyBox's `flock` cannot report that the lock was already taken.
  if (!output.includes('--conflict-exit-code'))
    throw new Error('The embedded PostgreSQL needs the program flock: install util-linux, or set DATABASE_URL.')
  // Before 2.34 there is no --no-fork: flock then stays as PostgreSQL's parent, but the lock works the same.
  const becomes = output.includes('--no-fork') ? ['--no-fork'] : []
  const lock = ['--nonblock', '--conflict-exit-code', String(lockedOutCode), ...becomes, join(folder, `${owner}.lock`)]
  return ['flock', [...lock, program, ...parameters]]
}

/** Where the PostgreSQL of the data folder was last started. */
const starterFile = ({ dataDir }: Cluster) => join(dataDir, 'postgres.owner.json')
/** Process ids have a meaning only within a namespace. */
const ourNamespace = () => readlink('/proc/self/ns/pid').catch(() => '')

async function recordStarter(cluster: Cluster): Promise<void> {
  const starter = { host: hostname(), pidNamespace: await ourNamespace(), startedAt: new Date().toISOString() }
  await replaceFile(starterFile(cluster), `${JSON.stringify(starter, null, 2)}\n`, 0o644)
}

async function folderInUse(cluster: Cluster): Promise<FolderInUse> {
  const { host, pidNamespace, startedAt } = await readFile(starterFile(cluster), 'utf8').then(JSON.parse, () => ({}))
  const where = pidNamespace === (await ourNamespace()) ? '' : 'in another container, '
  const found = `${cluster.folder} is in use by another PostgreSQL, ${where}started on ${host} at ${startedAt}`
  return new FolderInUse(`${found}. Two must never run on the same data: stop that one, or set another DATA_DIR.`)
}

const isLinux = process.platform === 'linux'

/**
 * Whether this process is PostgreSQL on that folder. PostgreSQL's processes have the folder as their working directory,
 * so on Linux /proc tells them from processes that got the same id later, and from zombies, which have no working
 * directory. Only processes of our own process namespace are visible. On other systems: whether it is alive.
 */
async function runsOn(folder: string, pid: number): Promise<boolean> {
  try {
    if (!isLinux) return process.kill(pid, 0)
    const name = await readFile(`/proc/${pid}/comm`, 'utf8')
    if (name.trim() !== 'postgres') return false
    // Compare inodes, not paths: the same folder may be mounted under another path.
    const [its, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)])
    return its.dev === ours.dev && its.ino === ours.ino
  } catch {
    return false
  }
}

/** All processes of PostgreSQL that run on that folder; none on systems other than Linux. */
export async function processesOn(folder: string): Promise<number[]> {
  if (!isLinux) return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const areOurs = await Promise.all(pids.map((pid) => runsOn(folder, pid)))
  return pids.filter((_, index) => areOurs[index])
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // Otherwise it has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Safe on power loss, reachable from this machine only, modest in memory. */
function serverSettings(port: number, more: Settings): Settings {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 1024 ** 2
  const megabytes = (least: number, wanted: number, most: number) =>
    `${Math.round(Math.min(most, Math.max(least, wanted)))}MB`
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: megabytes(128, memory / 8, 1024),
    // A count of many rows notes on which pages they are, between 2 and 4 MB for 40,000 pages; when that does not fit,
    // it checks all rows of a page, and takes twice as long.
    work_mem: megabytes(16, memory / 256, 64),
    maintenance_work_mem: '128MB',
    random_page_cost: '1.1',
    // Compiling a query costs more than it saves for lists of ordinary size.
    jit: 'off',
    // There is no replica. With this level, bulk loads write less.
    wal_level: 'minimal',
    max_wal_senders: '0',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // One file for each day of the week, in the folder `log` beside the data.
    logging_collector: 'on',
    log_filename: 'postgresql-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    ...more,
  }
}
