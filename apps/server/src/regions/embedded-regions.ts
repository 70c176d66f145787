/**
 * Region servers that the console starts itself as child processes and registers as local-1, local-2, …, so that a
 * newcomer has something to work with. Each is restarted when it dies; all of them end with this process. A row belongs
 * to the server whose data folder holds its instance id, so consoles on one database leave each other's regions alone.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inheritedVariables } from '@roomkeeper/tracing/settings'
import { type Database, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { pause, withTimeout } from '#platform/pause.ts'
import { Secret, type SecretBox } from '#platform/secrets.ts'

interface EmbeddedRegionsParts {
  database: Database
  secrets: SecretBox
  log: Log
  count: number
  /** The parent of the regions' data folders. */
  dataDir: string
  /** The program of the reference region server. */
  program: string
}

interface EmbeddedRegions {
  stop(): Promise<void>
}

export async function startEmbeddedRegions(parts: EmbeddedRegionsParts): Promise<EmbeddedRegions> {
  // Other users of this machine must not read the rooms.
  await mkdir(parts.dataDir, { recursive: true, mode: 0o700 })
  await chmod(parts.dataDir, 0o700)
  const names = Array.from({ length: parts.count }, (_, index) => `local-${index + 1}`)
  const running = await Promise.all(names.map((name) => keepRunning(parts, name)))
  // Registered in order, so that local-1 becomes the first region.
  for (const { login } of running) await registerEmbedded(parts, login)
  return {
    async stop() {
      await Promise.all(running.map((each) => each.stop()))
    },
  }
}

/** @param name the name of the region and of its data folder */
async function keepRunning(
  parts: EmbeddedRegionsParts,
  name: string,
): Promise<{ login: EmbeddedLogin; stop(): Promise<void> }> {
  const started = await startAsRegistered(parts, name)
  const { login } = started
  let { child } = started
  const stopping = new AbortController()
  const watching = (async () => {
    for (;;) {
      await new Promise((resolve) => child.once('exit', resolve))
      if (stopping.signal.aborted) return
      parts.log.warn({ region: name }, 'an embedded region ended, starting it again')
      await pause(500, stopping.signal)
      if (stopping.signal.aborted) return
      const again = await startAgain(parts, login, stopping.signal)
      if (again === null) return
      child = again
      if (stopping.signal.aborted) return
    }
  })()
  return {
    login,
    async stop() {
      stopping.abort()
      await end(child)
      // A child may have been starting meanwhile.
      await watching
      await end(child)
    },
  }
}

/** Restarts the server with other passwords if its instance id, known only once it runs, belongs to another row. */
async function startAsRegistered(parts: EmbeddedRegionsParts, name: string) {
  const isNew = !existsSync(join(parts.dataDir, name))
  const supposed = isNew ? null : await findEmbedded(parts, name)
  const first = supposed ?? newLogin(name)
  const child = await startOnAnyPort(parts, first)
  const login = await findOwn(parts, first)
  if (login === first) return { login, child }
  await end(child)
  return { login, child: await startOnAnyPort(parts, login) }
}

/** @returns null if the signal fired before a server had started */
async function startAgain(
  parts: EmbeddedRegionsParts,
  login: EmbeddedLogin,
  signal: AbortSignal,
): Promise<ChildProcess | null> {
  for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 30_000)) {
    try {
      const before = login.port
      const child = await startOnAnyPort(parts, login)
      if (login.port !== before) await registerEmbedded(parts, login)
      return child
    } catch (error) {
      parts.log.error({ err: error, region: login.folder }, 'starting an embedded region failed')
      await pause(wait, signal)
    }
  }
  return null
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await withTimeout(5000, ended)
  child.kill('SIGKILL')
  await ended
}

/** Uses the previous port, so that the stored address stays right, or any free port if that one is taken. */
async function startOnAnyPort(parts: EmbeddedRegionsParts, login: EmbeddedLogin): Promise<ChildProcess> {
  const started = await startChild(parts, login).catch((error: unknown) => {
    if (login.port === 0) throw error
    return startChild(parts, { ...login, port: 0 })
  })
  login.port = started.port
  login.instanceId = started.instanceId
  return started.child
}

interface StartedChild {
  child: ChildProcess
  port: number
  instanceId: string
}

function startChild(parts: EmbeddedRegionsParts, login: EmbeddedLogin): Promise<StartedChild> {
  const child = fork(parts.program, [], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...inheritedVariables(process.env),
      REGION_PORT: String(login.port),
      REGION_HOST: '127.0.0.1',
      REGION_DATA_DIR: join(parts.dataDir, login.folder),
      REGION_NAME: login.folder,
      REGION_USER: 'superuser',
      REGION_PASSWORD: login.password.reveal(),
      REGION_SYSTEM_PASSWORD: login.systemPassword.reveal(),
    },
    // In its own process group, so that Ctrl+C reaches only the console, which ends the regions when work is done.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
    child.once('message', ({ port, instanceId }: { port: number; instanceId: string }) => {
      clearTimeout(timer)
      child.off('exit', failed)
      resolve({ child, port, instanceId })
    })
    child.once('exit', failed)
    function failed() {
      clearTimeout(timer)
      reject(new Error(`The embedded region ${login.folder} did not start.`))
    }
  })
}

/** The row of an embedded region, and the passwords with which its server runs. */
interface EmbeddedLogin {
  /** The name of its data folder on this console; also the name of its row, if that is free. */
  folder: string
  /** `isOnOtherMachine`: an administrator has given the region another address, which stays. */
  row: { id: number; instanceId: string | null; isOnOtherMachine: boolean } | null
  password: Secret
  systemPassword: Secret
  /** The port of the last start; 0: any. */
  port: number
  /** The instance id that the server reported at its start; null: it has not started yet. */
  instanceId: string | null
}

interface Parts {
  database: Database
  secrets: SecretBox
  log: Log
}

function newLogin(folder: string): EmbeddedLogin {
  return { folder, row: null, password: randomSecret(), systemPassword: randomSecret(), port: 0, instanceId: null }
}

interface LoginRow {
  id: number
  url: string
  password: string
  systemPassword: string
  embeddedName: string | null
  instanceId: string | null
}

const loginRows = 'select id, url, password, system_password, embedded_name, instance_id from regions'

async function findEmbedded(parts: Parts, folder: string): Promise<EmbeddedLogin | null> {
  const [row] = await queryRows<LoginRow>(parts.database.db, `${loginRows} where embedded_name = $1`, [folder])
  return row === undefined ? null : loginOf(parts, folder, row)
}

/**
 * Finds the login of the server by the instance id that it reported.
 * @param supposed the login with which the server was started, found by the name of its folder
 * @returns `supposed` if it was right; otherwise the login of the server's own row, or a new login if it has none
 */
async function findOwn(parts: Parts, supposed: EmbeddedLogin): Promise<EmbeddedLogin> {
  const { folder, row: guessed, instanceId } = supposed
  if (guessed !== null && guessed.instanceId === instanceId) return supposed
  const [own] = await queryRows<LoginRow>(
    parts.database.db,
    `${loginRows} where instance_id = $1 order by embedded_name asc nulls last limit 1`,
    [instanceId],
  )
  if (own !== undefined) return loginOf(parts, folder, own)
  // A row that is older than instance ids belongs to the folder of its name.
  if (guessed === null || guessed.instanceId === null) return supposed
  parts.log.warn({ region: folder }, 'the region of this name has other data: this one gets another name')
  return newLogin(folder)
}

/** Stores the current address in the region's row, or adds a row with the first free name of local-1, local-2, … */
async function registerEmbedded(parts: Parts, login: EmbeddedLogin): Promise<void> {
  const { row, instanceId } = login
  if (row?.isOnOtherMachine === true) return
  const url = `http://127.0.0.1:${login.port}`
  if (row !== null) {
    const own = await queryRows(
      parts.database.db,
      `update regions set url = $2, instance_id = $3, other_server_at = null
        where id = $1 and embedded_name is not null returning 1`,
      [row.id, url, instanceId],
    )
    if (own.length > 0) return
  }
  for (let number = Number(login.folder.replace(/^local-/, '')); ; number += 1) {
    const id = await insert(parts, login, { url, embeddedName: `local-${number}` })
    if (id === null) continue
    login.row = { id, instanceId, isOnOtherMachine: false }
    return
  }
}

/** @returns null: another row has this embedded name */
async function insert(
  { database, secrets }: Parts,
  login: EmbeddedLogin,
  { url, embeddedName }: { url: string; embeddedName: string },
): Promise<number | null> {
  const [inserted] = await queryRows<{ id: number }>(
    database.db,
    `insert into regions (name, url, user_name, password, system_password, products, embedded_name, instance_id)
     -- An operator may have given the name to another region meanwhile.
     select case when exists (select from regions where lower(name) = lower($1::text)
                                and embedded_name is distinct from $1)
                 then $1 || '-embedded' else $1 end,
            $2, 'superuser', $3, $4, '{ARIS,MINING,ENTERPRISE}', $1, $5
     on conflict do nothing returning id`,
    [embeddedName, url, secrets.seal(login.password), secrets.seal(login.systemPassword), login.instanceId],
  )
  return inserted?.id ?? null
}

function loginOf({ secrets }: Parts, folder: string, row: LoginRow): EmbeddedLogin {
  return {
    folder,
    row: { id: row.id, instanceId: row.instanceId, isOnOtherMachine: row.embeddedName === null },
    password: secrets.open(row.password),
    systemPassword: secrets.open(row.systemPassword),
    port: portOf(row.url),
    instanceId: null,
  }
}

/** The port of an address on this machine; 0 for other addresses, whose port may be that of a proxy. */
function portOf(url: string): number {
  const { hostname, port } = new URL(url)
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ? Number(port) : 0
}

function randomSecret(): Secret {
  return new Secret(randomBytes(24).toString('base64url'))
}
