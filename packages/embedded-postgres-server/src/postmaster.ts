/**
 * Starts, adopts and stops the postmaster, always under the start lock. Adopting comes first: a server is ours if it
 * answers to our random password on the port of postmaster.pid and works on this folder. A new postmaster is started
 * under the folder's lock. postmaster.pid belongs to PostgreSQL and is never removed here.
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

/** The part of a pino log that this package needs: fields and a constant message. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export interface StartOptions {
  log: Log
  /** Server settings in addition to, or instead of, the usual ones, such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
  /** Whether it may use another port if the remembered one is in use. */
  mayChangePort: boolean
}

/** How long to wait for a running postmaster to answer: recovery after a crash can take minutes. */
const patienceMilliseconds = 10 * 60_000

/** When it returns, the server answers on `cluster.connection`. @throws {EmbeddedPostgresError} */
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

/** The error for data on which another PostgreSQL runs, where this process can neither reach nor see it. */
export async function folderInUse({ folder, dataDir, application }: Cluster): Promise<EmbeddedPostgresError> {
  const message = `${folder} is in use by another PostgreSQL, ${await describeOwner(dataDir)}. Two must never run on the same data: `
  return failure(application, 'folder-in-use', message, 'stop that one, or use another folder.')
}

/** Shuts down fast: running statements are cancelled; committed data is on disk. */
export async function stopPostmaster(cluster: Cluster, log: Log): Promise<void> {
  const running = await readPostmasterFile(cluster)
  if (running !== null && !(await runsOn(cluster.folder, running.pid))) {
    // It was adopted from another container. Its process id may belong to another process here.
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

/** Whether our PostgreSQL answers on this port. False while it starts, recovers or shuts down. */
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
    // A server that does not answer does not confirm the end of the connection either.
    await Promise.race([client.end().catch(() => undefined), pause(1_000)])
  }
}

/**
 * Whether the server reads what we write into the folder. The server of a copied data folder has our password too, but
 * works on other data.
 */
async function worksOn(cluster: Cluster, client: pg.Client): Promise<boolean> {
  const name = `${cluster.application.name}.${randomUUID()}`
  const path = join(cluster.folder, name)
  try {
    await writeFile(path, name, { mode: 0o644 })
  } catch {
    // A full disk must not keep anybody from adopting the PostgreSQL that runs on it.
    await rm(path, { force: true })
    return true
  }
  try {
    const { rows } = await client.query<{ read: string }>('select pg_read_file($1) as read', [name])
    return rows[0]?.read === name
  } catch {
    // The server has no such file.
    return false
  } finally {
    await rm(path, { force: true })
  }
}

/** The port of a postmaster that already runs, or null. Waits while a postmaster starts, recovers or stops. */
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
  // A postmaster that has only just started has not written its port yet.
  return pid > 0 ? { pid, port: port > 0 ? port : cluster.connection.port } : null
}

/**
 * Ends the backends of a postmaster that is gone. They notice its end by themselves, but a busy one may take long, and
 * PostgreSQL must not be started while one of them runs.
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

/**
 * Waits for the reason in the log: a process of its own writes the log, and may do so after the postmaster has ended, on
 * a busy machine seconds later. Without the reason, a port in use would not be known as such.
 */
async function lastFatalSoon(cluster: Cluster, since: number): Promise<string | null> {
  const patience = Date.now() + 15_000
  for (;;) {
    const found = await lastFatal(cluster, since)
    if (found !== null || Date.now() > patience) return found
    await pause(50)
  }
}

/** The last fatal error in the log since then. Standard output only has errors from before the log was opened. */
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

/** Starts the postmaster in a session of its own, so that Ctrl+C in our terminal does not end it before us. */
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
    // Listen at once: a postmaster that finds the data locked ends immediately.
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
 * The process id in a postmaster.pid that was left behind may by now belong to a zombie or to another program, and
 * PostgreSQL would take that process for a postmaster. PostgreSQL ignores the id of its grandparent, which it is told
 * in this variable (as pg_ctl does), so the variable names that id. The folder's lock, and PostgreSQL's own check of
 * its shared memory, still ensure that nobody else uses the folder.
 */
async function staleNumber(cluster: Cluster): Promise<Record<string, string>> {
  const left = await readPostmasterFile(cluster)
  if (left === null || process.platform !== 'linux' || (await runsOn(cluster.folder, left.pid))) return {}
  return { PG_GRANDPARENT_PID: String(left.pid) }
}
