/**
 * Starting, adopting and stopping the postmaster. All of it happens under the start lock. Adopting comes first: whoever
 * answers on the port of postmaster.pid to our random password, and works on this folder, is ours. A new one is started
 * under the lock of the folder; postmaster.pid is PostgreSQL's own affair and never removed here.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { failure } from './application.ts'
import type { Cluster } from './cluster.ts'
import { freePort } from './connection-file.ts'
import { EmbeddedPostgresError, errorCode } from './errors.ts'
import { lockedOutCode, underLock } from './folder-lock.ts'
import { describeOwner, recordOwner } from './owner-record.ts'
import { processesOn, runsOn } from './processes.ts'
import { cleanEnvironment, runProgram } from './run-program.ts'
import { ScramClient } from './scram/scram-client.ts'
import { serverSettings } from './server-settings.ts'
import { checkVersions } from './server-version.ts'

/** The part of a pino log that is needed here: fields, and a constant message. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface StartOptions {
  log: Log
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
  await checkVersions(cluster)
  for (let attempt = 1; ; attempt++) {
    await endLeftBehind(cluster, options)
    const outcome = await startPostmaster(cluster, options)
    if (outcome === 'ready') return recordOwner(cluster.dataDir)
    if (outcome === 'locked') throw await folderInUse(cluster)
    if (!options.mayChangePort || attempt === 5) {
      const message = `PostgreSQL could not start: port ${cluster.connection.port} is in use.`
      throw new EmbeddedPostgresError('port-in-use', message)
    }
    await cluster.connection.usePort(await freePort())
  }
}

/** Another PostgreSQL runs on the data, where this process can neither reach nor see it. */
export async function folderInUse({ folder, dataDir, application }: Cluster): Promise<EmbeddedPostgresError> {
  const message = `${folder} is in use by another PostgreSQL, ${await describeOwner(dataDir)}. Two must never run on the same data: `
  return failure(application, 'folder-in-use', message, 'stop that one, or use another folder.')
}

/** Shuts down fast: running statements are cancelled, what was committed is on disk. */
export async function stopPostmaster(cluster: Cluster, log: Log): Promise<void> {
  const running = await readPostmasterFile(cluster)
  if (running !== null && !(await runsOn(cluster.folder, running.pid))) {
    // Adopted from another container: its number would be somebody else's here.
    log.info({}, 'the embedded PostgreSQL does not run here and is left to those who see it')
    return
  }
  const { code, output } = await runProgram(
    cluster.binaries.pgCtl,
    ['stop', '-D', cluster.folder, '-m', 'fast', '-t', '60'],
    { identity: cluster.identity, cwd: cluster.folder },
  )
  if (code !== 0) log.warn({ output }, 'the embedded PostgreSQL did not stop')
}

/** Not while it starts, recovers or shuts down, nor when it is somebody else. */
async function answersOn(cluster: Cluster, port: number): Promise<boolean> {
  const url = new URL(cluster.connection.url('postgres'))
  url.port = String(port)
  const client = new ScramClient({ connectionString: url.href, connectionTimeoutMillis: 3_000, query_timeout: 3_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await worksOn(cluster, client)
  } catch {
    return false
  } finally {
    // A server that answers nothing does not confirm the end either.
    await Promise.race([client.end().catch(() => undefined), pause(1_000)])
  }
}

/** Whether it reads what we write into the folder: that of a copied data folder has our password too, but other data. */
async function worksOn(cluster: Cluster, client: pg.Client): Promise<boolean> {
  const name = `${cluster.application.name}.${randomUUID()}`
  const path = join(cluster.folder, name)
  try {
    await writeFile(path, name, { mode: 0o644 })
  } catch {
    // A full disk must not keep anybody from the PostgreSQL that runs on it.
    await rm(path, { force: true })
    return true
  }
  try {
    const { rows } = await client.query<{ read: string }>('select pg_read_file($1) as read', [name])
    return rows[0]?.read === name
  } catch {
    // It has no such file.
    return false
  } finally {
    await rm(path, { force: true })
  }
}

/** The port of a postmaster that already runs, or null. Waits for one that is starting, recovering or stopping. */
export async function adoptedPort(cluster: Cluster): Promise<number | null> {
  const deadline = Date.now() + patienceMilliseconds
  for (;;) {
    const found = await readPostmasterFile(cluster)
    if (found === null) return null
    if (await answersOn(cluster, found.port)) return found.port
    if (!(await runsOn(cluster.folder, found.pid))) return null
    if (Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        'start-failed',
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
 * be started beside it.
 */
async function endLeftBehind(cluster: Cluster, { log }: StartOptions): Promise<void> {
  const begun = Date.now()
  for (;;) {
    const left = await processesOn(cluster.folder)
    if (left.length === 0) return
    const waited = Date.now() - begun
    if (waited > 1_000) {
      log.warn({ processes: left }, 'ending processes that a killed PostgreSQL left behind')
      for (const pid of left) endProcess(pid, waited > 5_000 ? 'SIGKILL' : 'SIGQUIT')
    }
    await pause(waited > 1_000 ? 500 : 50)
  }
}

function endProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

async function startPostmaster(cluster: Cluster, options: StartOptions): Promise<'ready' | 'port in use' | 'locked'> {
  const { child, ended, firstOutput } = await spawnPostmaster(cluster, options)
  const begun = Date.now()
  let isAnnounced = false
  while (!ended.aborted) {
    if (await answersOn(cluster, cluster.connection.port)) {
      options.log.info({ port: cluster.connection.port, milliseconds: Date.now() - begun }, 'PostgreSQL started')
      return 'ready'
    }
    if (!isAnnounced && Date.now() - begun > 5_000) {
      options.log.info({}, 'PostgreSQL is recovering after a crash; this can take minutes')
      isAnnounced = true
    }
    await pause(50, undefined, { signal: ended }).catch(() => undefined)
  }
  if (child.exitCode === lockedOutCode) return 'locked'
  const reason = (await lastFatalSoon(cluster, begun)) ?? lastOf(await readFile(firstOutput, 'utf8'))
  if (/could not create any TCP|address already in use|could not bind/i.test(reason)) return 'port in use'
  throw new EmbeddedPostgresError('start-failed', `PostgreSQL could not start: ${reason}`)
}

/** Its last word is written by a process of its own, which may end a moment after it. */
async function lastFatalSoon(cluster: Cluster, since: number): Promise<string | null> {
  const patience = Date.now() + 2_000
  for (;;) {
    const found = await lastFatal(cluster, since)
    if (found !== null || Date.now() > patience) return found
    await pause(50)
  }
}

/** What it wrote into its log since then; standard output has only what came before the log was open. */
async function lastFatal(cluster: Cluster, since: number): Promise<string | null> {
  const folder = join(cluster.folder, 'log')
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    if ((await stat(join(folder, name))).mtimeMs < since) continue
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n')
    const found = lines.findLast((line) => /FATAL|PANIC/.test(line))
    if (found !== undefined) return found
  }
  return null
}

function lastOf(words: string): string {
  const lines = words.trim().split('\n')
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? 'it said nothing'
}

/** In a session of its own, so that Ctrl+C in our terminal does not end it before us. */
async function spawnPostmaster(
  cluster: Cluster,
  options: StartOptions,
): Promise<{ child: ChildProcess; ended: AbortSignal; firstOutput: string }> {
  const firstOutput = join(cluster.dataDir, 'postgres-start.log')
  const settings = Object.entries(serverSettings(cluster.connection.port, options.settings ?? {}))
  const output = await open(firstOutput, 'w', 0o600)
  try {
    const parameters = ['-D', cluster.folder, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const command = await underLock(cluster, { program: cluster.binaries.postgres, parameters })
    const child = spawn(command.program, command.parameters, {
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      cwd: cluster.folder,
      env: { ...cleanEnvironment(), ...(await staleNumber(cluster)) },
      ...cluster.identity,
    })
    // At once: one that finds the data locked has ended before anybody could ask.
    const ended = new AbortController()
    child.once('error', () => undefined)
    child.once('close', () => ended.abort())
    child.unref()
    return { child, ended: ended.signal, firstOutput }
  } finally {
    await output.close()
  }
}

/**
 * The number in a postmaster.pid that was left behind may be a zombie's or somebody else's by now, and PostgreSQL would
 * take that for a postmaster. It takes the number of its grandparent for stale, and is told it by this variable, as by
 * pg_ctl. That nobody uses the folder is for the lock to say, and for PostgreSQL's own look at its shared memory.
 */
async function staleNumber(cluster: Cluster): Promise<Record<string, string>> {
  const left = await readPostmasterFile(cluster)
  if (left === null || process.platform !== 'linux' || (await runsOn(cluster.folder, left.pid))) return {}
  return { PG_GRANDPARENT_PID: String(left.pid) }
}
