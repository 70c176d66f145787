/** The region of examples/region-python as a real process. It answers the region protocol and shares no code with ours. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createRegionClient, type RegionClient } from '@roomkeeper/region-protocol'
import { freePort } from './free-port.ts'
import { repository } from './process-under-test.ts'
import { login } from './start-region.ts'
import { until } from './until.ts'

export interface PythonRegion {
  name: string
  url: string
  userName: string
  password: string
  systemPassword: string
  client: RegionClient
  /** Sends SIGKILL, and starts it again on the same data and address. */
  restart(): Promise<void>
  /** Sends SIGTERM and waits for its end. */
  stop(): Promise<void>
}

export async function startPythonRegion({ name, dataDir }: { name: string; dataDir: string }): Promise<PythonRegion> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const client = createRegionClient({ url, ...login })
  const env = {
    PATH: process.env.PATH,
    REGION_PORT: String(port),
    REGION_DATA_DIR: dataDir,
    REGION_NAME: name,
    REGION_PASSWORD: login.password,
    REGION_SYSTEM_PASSWORD: login.systemPassword,
  }
  let running: ChildProcess
  const start = async () => {
    let output = ''
    const child = spawn(debianPython, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    running = child
    await until('the region in Python answers', async () => {
      if (child.exitCode !== null) throw new Error(`The region in Python ended with ${child.exitCode}:\n${output}`)
      return client.status().then(
        () => true,
        () => false,
      )
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    if (running.exitCode !== null || running.signalCode !== null) return
    const gone = once(running, 'exit')
    running.kill(signal)
    await gone
  }
  await start()
  return {
    name,
    url,
    ...login,
    client,
    async restart() {
      await end('SIGKILL')
      await start()
    },
    stop: () => end('SIGTERM'),
  }
}

/** Whether this machine has what the region needs: Debian's Python, and libcrypto of OpenSSL 3. */
export function canStartPythonRegion(): boolean {
  const needs = 'import ctypes, sqlite3, ssl; ctypes.CDLL("libcrypto.so.3")'
  return spawnSync(debianPython, ['-c', needs]).status === 0
}

const program = resolve(repository, 'examples/region-python/region.py')

/** Not the first one of PATH, which may be built without what the region needs of SQLite. */
const debianPython = '/usr/bin/python3'
