/** Starts region servers as real processes on temporary folders, for tests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { programUnderTest } from '@roomkeeper/dev-env'
import {
  createRegionClient,
  type RegionAddress,
  type RegionClient,
  type RegionClientOptions,
  type RoomCreation,
} from '@roomkeeper/region-protocol'

export const systemPassword = 'system password'

export interface RegionProcess {
  url: string
  address: RegionAddress
  dataDir: string
  child: ChildProcess
  /** What the process has printed so far. */
  output(): string
  client: RegionClient
  newClient(options?: RegionClientOptions, url?: string): RegionClient
  /** Sends SIGKILL and waits until the process is gone. */
  kill(): Promise<void>
  /** Starts another process on the same folder. */
  again(env?: Record<string, string>): Promise<RegionProcess>
  /** Kills the process and removes the folder. */
  remove(): Promise<void>
}

export async function newDataDir(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'roomkeeper-region-'))
}

export async function startRegion(env: Record<string, string> = {}, dataDir?: string): Promise<RegionProcess> {
  const folder = dataDir ?? (await newDataDir())
  const { child, output } = launch({ REGION_DATA_DIR: folder, ...env })
  const port = await readyPort(child, output)
  const address = { url: `http://127.0.0.1:${port}`, userName: 'superuser', password: 'region password' }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  const newClient = (options: RegionClientOptions = {}, url = address.url) =>
    createRegionClient({ ...address, url }, options)
  return {
    url: address.url,
    address,
    dataDir: folder,
    child,
    output,
    client: newClient(),
    newClient,
    kill,
    again: (more = {}) => startRegion({ ...env, ...more }, folder),
    async remove() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The environment in which tests start regions. */
export const regionEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  REGION_PORT: '0',
  REGION_NAME: 'test',
  REGION_PASSWORD: 'region password',
  REGION_SYSTEM_PASSWORD: systemPassword,
  // Deriving the key of each database export would take a third of a second of CPU, on the way there and back.
  REGION_FAULTS: '1',
  REGION_EXPORT_COST: '10',
}

/** Starts a region server's process, which may fail to start up. */
export function launch(env: Record<string, string>): { child: ChildProcess; output(): string } {
  const child = spawn(process.execPath, [regionProgram], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...regionEnv, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  return { child, output: () => output }
}

export const regionProgram = fileURLToPath(new URL(`../../../${await programUnderTest('region')}`, import.meta.url))

async function readyPort(child: ChildProcess, output: () => string): Promise<number> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The region ended with ${code}: ${output()}`)
  })
  const [message] = (await Promise.race([once(child, 'message'), ended])) as [{ ready: true; port: number }]
  ended.catch(() => {})
  return message.port
}

export function newCreation(change: Partial<RoomCreation> = {}): RoomCreation {
  return {
    roomId: crypto.randomUUID(),
    product: 'ARIS',
    edition: 'advanced',
    licences: [
      { licenseKey: 'YAAV', licenseAmount: 5, licenseType: 'NUC' },
      { licenseKey: 'YAAD', licenseAmount: 2, licenseType: 'NUC' },
    ],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts: {
      companyName: 'Example Ltd',
      customerFirstName: 'Ada',
      customerLastName: 'Lovelace',
      customerContactDetails: null,
      ownerEmail: 'owner@example.org',
      delegateEmail: 'delegate@example.org',
    },
    ...change,
  }
}

/** What a region answers of a room, without what it may leave out. */
export const toldRoom = {
  name: 'alpha',
  roomId: '00000000-0000-4000-8000-000000000000',
  product: 'ARIS',
  edition: 'advanced',
  state: 'active',
  locked: false,
  size: 1,
  schemaVersion: 1,
  expirationDate: null,
  databases: [],
}

/** Asks until the answer is neither undefined, null nor false. */
export async function eventually<T>(ask: () => T | Promise<T>, seconds = 20): Promise<NonNullable<T>> {
  const deadline = Date.now() + seconds * 1000
  while (true) {
    const answer = await ask()
    if (answer !== undefined && answer !== null && answer !== false) return answer
    if (Date.now() > deadline) throw new Error(`Nothing came within ${seconds} s.`)
    await pause(20)
  }
}
