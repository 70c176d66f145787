/**
 * Region servers that the console starts itself as child processes and registers as local-1, local-2, …, so that a
 * newcomer has something to work with. Each is restarted when it dies; all of them end with this process. A row belongs
 * to the server whose data folder holds its instance id, so consoles on one database leave each other's regions alone.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { inheritedVariables } from '@roomkeeper/tracing/settings'
import type { Database } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { pause, withTimeout } from '#platform/pause.ts'
import type { SecretBox } from '#platform/secrets.ts'
import { type EmbeddedLogin, findEmbedded, findOwn, newLogin, registerEmbedded } from './embedded-login.ts'

export interface EmbeddedRegionsParts {
  database: Database
  secrets: SecretBox
  log: Log
  count: number
  /** The parent of the regions' data folders. */
  dataDir: string
  /** The program of the reference region server. */
  program: string
}

export interface EmbeddedRegions {
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
