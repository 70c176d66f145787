/**
 * Region servers that the console starts itself, as child processes, and registers as local-1, local-2, … so that
 * a newcomer has something to work with. Each is started again when it dies; all of them end with this process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'
import { Secret, type SecretBox } from '#platform/secrets.ts'

export interface EmbeddedRegionsParts {
  database: Database
  secrets: SecretBox
  log: Log
  count: number
  /** The folder under which each has its own. */
  dataDir: string
  /** The program of the reference region server. */
  program: string
}

export interface EmbeddedRegions {
  stop(): Promise<void>
}

export async function startEmbeddedRegions(parts: EmbeddedRegionsParts): Promise<EmbeddedRegions> {
  // Rooms are nothing for other users of this machine.
  await mkdir(parts.dataDir, { recursive: true, mode: 0o700 })
  await chmod(parts.dataDir, 0o700)
  const names = Array.from({ length: parts.count }, (_, index) => `local-${index + 1}`)
  const running = await Promise.all(names.map((name) => keepRunning(parts, name)))
  // In their order, so that local-1 is the first region.
  for (const { login } of running) await register(parts, login)
  return {
    async stop() {
      await Promise.all(running.map((each) => each.stop()))
    },
  }
}

interface Login {
  name: string
  password: Secret
  systemPassword: Secret
  /** Of the last start; 0 means any. */
  port: number
}

async function keepRunning(
  parts: EmbeddedRegionsParts,
  name: string,
): Promise<{ login: Login; stop(): Promise<void> }> {
  const login = await findLogin(parts, name)
  const stopping = new AbortController()
  let child = await startOnAnyPort(parts, login)
  void (async () => {
    for (;;) {
      await new Promise((resolve) => child.once('exit', resolve))
      if (stopping.signal.aborted) return
      parts.log.warn({ region: name }, 'an embedded region ended, starting it again')
      await pause(500, stopping.signal)
      if (stopping.signal.aborted) return
      child = await startAgain(parts, login)
    }
  })()
  return {
    login,
    async stop() {
      stopping.abort()
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await Promise.race([ended, pause(5000)])
      child.kill('SIGKILL')
    },
  }
}

async function startAgain(parts: EmbeddedRegionsParts, login: Login): Promise<ChildProcess> {
  for (let wait = 500; ; wait = Math.min(wait * 2, 30_000)) {
    try {
      const before = login.port
      const child = await startOnAnyPort(parts, login)
      if (login.port !== before) await register(parts, login)
      return child
    } catch (error) {
      parts.log.error({ err: error, region: login.name }, 'starting an embedded region failed')
      await pause(wait)
    }
  }
}

/** On the port of last time, so that the stored address stays true; on another when that one is taken. */
async function startOnAnyPort(parts: EmbeddedRegionsParts, login: Login): Promise<ChildProcess> {
  const started = await startChild(parts, login).catch((error: unknown) => {
    if (login.port === 0) throw error
    return startChild(parts, { ...login, port: 0 })
  })
  login.port = started.port
  return started.child
}

function startChild(parts: EmbeddedRegionsParts, login: Login): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(parts.program, [], {
    env: {
      PATH: process.env.PATH,
      REGION_PORT: String(login.port),
      REGION_HOST: '127.0.0.1',
      REGION_DATA_DIR: join(parts.dataDir, login.name),
      REGION_NAME: login.name,
      REGION_USER: 'superuser',
      REGION_PASSWORD: login.password.reveal(),
      REGION_SYSTEM_PASSWORD: login.systemPassword.reveal(),
    },
    // Its own group: Ctrl+C goes to the console, which ends the regions when their work is done.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
    child.once('message', (message: { ready?: boolean; port?: number }) => {
      clearTimeout(timer)
      child.off('exit', failed)
      resolve({ child, port: Number(message.port) })
    })
    child.once('exit', failed)
    function failed() {
      clearTimeout(timer)
      reject(new Error(`The embedded region ${login.name} did not start.`))
    }
  })
}

async function findLogin({ database, secrets }: EmbeddedRegionsParts, name: string): Promise<Login> {
  const row = await database.db.selectFrom('regions').selectAll().where('embedded_name', '=', name).executeTakeFirst()
  if (row === undefined) return { name, password: randomSecret(), systemPassword: randomSecret(), port: 0 }
  return {
    name,
    password: secrets.open(row.password),
    systemPassword: secrets.open(row.system_password),
    port: Number(new URL(row.url).port),
  }
}

async function register({ database, secrets }: EmbeddedRegionsParts, login: Login): Promise<void> {
  await queryRows(
    database.db,
    `insert into regions (name, url, user_name, password, system_password, products, embedded_name)
     -- Somebody may have given the name to another region meanwhile.
     select case when exists (select from regions where lower(name) = lower($1::text)
                                and embedded_name is distinct from $1)
                 then $1 || '-embedded' else $1 end,
            $2, 'superuser', $3, $4, '{ARIS,MINING,ENTERPRISE}', $1
     on conflict (embedded_name) do update set url = excluded.url`,
    [login.name, `http://127.0.0.1:${login.port}`, secrets.seal(login.password), secrets.seal(login.systemPassword)],
  )
}

function randomSecret(): Secret {
  return new Secret(randomBytes(24).toString('base64url'))
}
