/**
 * Starting, adopting and stopping the postmaster. All of it happens under the start lock.
 * Adopting comes first: whoever answers on the port of postmaster.pid to our random password is ours.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { pause } from '../pause.ts'
import type { Cluster } from './cluster.ts'
import { freePort } from './connection-file.ts'
import { EmbeddedPostgresError, errorCode } from './errors.ts'
import { processesOn, runsOn } from './processes.ts'
import { cleanEnvironment, runProgram } from './run-program.ts'
import { serverSettings } from './server-settings.ts'

export interface StartOptions {
  /** The part of a pino log that is needed here. */
  log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
  }
  /** Server settings beside or instead of the usual ones, such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
  /** Whether another port may be taken when the remembered one is in use. */
  mayChangePort: boolean
}

/** Recovery after a crash can take this long; the postmaster is alive meanwhile and says so. */
const patienceMilliseconds = 10 * 60_000

/** Afterwards the cluster answers on `cluster.connection`. @throws {EmbeddedPostgresError} */
export async function ensurePostmaster(cluster: Cluster, options: StartOptions): Promise<void> {
  const port = await adoptedPort(cluster)
  if (port !== null) {
    await cluster.connection.usePort(port)
    options.log.info({ port }, 'adopted the running PostgreSQL')
    return
  }
  await clearRemains(cluster, options)
  for (let attempt = 1; ; attempt++) {
    const outcome = await startPostmaster(cluster, options)
    if (outcome === 'ready') return
    if (!options.mayChangePort || attempt === 5) {
      throw new EmbeddedPostgresError(`PostgreSQL could not start: port ${cluster.connection.port} is in use.`)
    }
    await cluster.connection.usePort(await freePort())
  }
}

/** Shuts down fast: running statements are cancelled, what was committed is on disk. */
export async function stopPostmaster(cluster: Cluster, log: StartOptions['log']): Promise<void> {
  const { code, output } = await runProgram(
    cluster.binaries.pgCtl,
    ['stop', '-D', cluster.folder, '-m', 'fast', '-t', '60'],
    { identity: cluster.identity, cwd: cluster.folder },
  )
  if (code !== 0) log.warn({ output }, 'the embedded PostgreSQL did not stop')
}

type Answer = 'ready' | 'starting' | 'silent'

/** @throws when whoever answers there is not the PostgreSQL of this cluster */
async function askPort(cluster: Cluster, port: number): Promise<Answer> {
  const url = new URL(cluster.connection.url('postgres'))
  url.port = String(port)
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 3_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    // 57P03: starting up, recovering or shutting down.
    return errorCode(error) === '57P03' ? 'starting' : 'silent'
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The port of a postmaster that already runs, or null. Waits for one that is starting, recovering or stopping. */
async function adoptedPort(cluster: Cluster): Promise<number | null> {
  const deadline = Date.now() + patienceMilliseconds
  for (;;) {
    const found = await readPostmasterFile(cluster)
    if (found === null) return null
    const answer = await askPort(cluster, found.port)
    if (answer === 'ready') return found.port
    if (!(await runsOn(cluster.folder, found.pid))) return null
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL (process ${found.pid}) runs on ${cluster.folder} but does not answer.`,
      )
    }
    await pause(100)
  }
}

async function readPostmasterFile(cluster: Cluster): Promise<{ pid: number; port: number } | null> {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch((error) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  const lines = text.split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  // A postmaster that has only just begun has not written its port yet.
  return pid > 0 ? { pid, port: port > 0 ? port : cluster.connection.port } : null
}

/**
 * The postmaster is gone. Its backends notice and end, but one that is busy may take its time, and PostgreSQL must not
 * be started beside it. The old postmaster.pid goes too: the number in it may be a zombie's or somebody else's by now.
 */
async function clearRemains(cluster: Cluster, { log }: StartOptions): Promise<void> {
  const begun = Date.now()
  for (;;) {
    const left = await processesOn(cluster.folder)
    if (left.length === 0) break
    const waited = Date.now() - begun
    if (waited > 1_000) {
      log.warn({ processes: left }, 'ending processes that a killed PostgreSQL left behind')
      for (const pid of left) endProcess(pid, waited > 5_000 ? 'SIGKILL' : 'SIGQUIT')
    }
    await pause(waited > 1_000 ? 500 : 50)
  }
  await rm(join(cluster.folder, 'postmaster.pid'), { force: true })
}

function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

async function startPostmaster(cluster: Cluster, options: StartOptions): Promise<'ready' | 'port in use'> {
  const { child, firstWords } = await spawnPostmaster(cluster, options)
  let hasEnded = false
  const ended = new AbortController()
  child.once('error', () => undefined)
  child.once('close', () => {
    hasEnded = true
    ended.abort()
  })
  const begun = Date.now()
  let isAnnounced = false
  while (!hasEnded) {
    if ((await askPort(cluster, cluster.connection.port)) === 'ready') {
      options.log.info({ port: cluster.connection.port, milliseconds: Date.now() - begun }, 'PostgreSQL started')
      return 'ready'
    }
    if (!isAnnounced && Date.now() - begun > 5_000) {
      options.log.info({}, 'PostgreSQL is recovering after a crash; this can take minutes')
      isAnnounced = true
    }
    await pause(50, ended.signal)
  }
  const words = await readFile(firstWords, 'utf8')
  if (/address already in use|could not bind/i.test(words)) return 'port in use'
  const reason = words.split('\n').findLast((line) => /FATAL|PANIC/.test(line)) ?? words.trim().split('\n').at(-1)
  throw new EmbeddedPostgresError(`PostgreSQL could not start: ${reason ?? 'it said nothing'}`)
}

/** In a session of its own, so that Ctrl+C in our terminal does not end it before us. */
async function spawnPostmaster(
  cluster: Cluster,
  options: StartOptions,
): Promise<{ child: ChildProcess; firstWords: string }> {
  const firstWords = join(cluster.dataDir, 'postgres-start.log')
  const settings = Object.entries(serverSettings(cluster.connection.port, options.settings ?? {}))
  const output = await open(firstWords, 'w', 0o600)
  try {
    const parameters = ['-D', cluster.folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const child = spawn(cluster.binaries.postgres, parameters, {
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      cwd: cluster.folder,
      env: cleanEnvironment(),
      ...cluster.identity,
    })
    child.unref()
    return { child, firstWords }
  } finally {
    await output.close()
  }
}
