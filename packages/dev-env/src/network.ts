/** The whole network: PostgreSQL, servers and region servers, on free ports and in a folder of its own. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, type Client, ProblemError, type Role } from '@roomkeeper/contract'
import { callDoctor, type DoctorsReport } from './call-doctor.ts'
import { operatorDraft, type RoomDraftGiven, roomDraft } from './factories.ts'
import { openSession, type SessionGiven, type SignedInClient } from './operator-session.ts'
import { createNetworkDatabase, type NetworkDatabase } from './postgres.ts'
import { sendUpload, type UploadedFile, type UploadRoute } from './send-upload.ts'
import { type RegionOptions, type RunningRegion, startRegion } from './start-region.ts'
import { type RunningServer, startServer } from './start-server.ts'
import { until } from './until.ts'

type WantedRegion = Partial<RegionOptions> & { maxRooms?: number }

export interface NetworkOptions {
  /** The number of regions, or the options of each. Default 1. They are registered as region 1, 2, … */
  regions?: number | WantedRegion[]
  /** Default: a new database on the PostgreSQL that tests share, as after the first start of a console. */
  database?: NetworkDatabase
  /** More settings for every server. */
  env?: Record<string, string>
}

export interface Network {
  dir: string
  /** The settings of its servers. */
  settings: Record<string, string>
  database: NetworkDatabase
  server: RunningServer
  regions: RunningRegion[]
  /** The API, as the first administrator. */
  admin: SignedInClient
  /** The API, as an operator of this role. Creates the operator at the first call; opens a new session if necessary. */
  as(role: Role): Promise<SignedInClient>
  /** The API, in a new session of an operator. @param at default: the first server */
  newSession(given?: SessionGiven, at?: RunningServer): Promise<SignedInClient>
  /** Starts the server again after it was killed or stopped. Sessions stay valid. */
  restartServer(env?: Record<string, string>): Promise<void>
  /** Starts another server process on the same database. */
  addServer(env?: Record<string, string>): Promise<RunningServer>
  restartRegion(index: number, env?: Record<string, string>): Promise<void>
  /**
   * Makes an operation go wrong once: `<kind>:<step id>:before|after|recorded|undo:kill|fail|break|hold`, see the
   * server's fault-points.ts. `hold` waits there until the operation is cancelled.
   */
  planFault(point: string): Promise<void>
  /** Whether the planned fault has taken effect. */
  faultHappened(): Promise<boolean>
  /** Replaces the faults of a region. For the rules, see apps/region/src/faults. */
  setRegionFaults(rules: object[], index?: number): Promise<void>
  /** Creates an active room on a region. @returns its name */
  newRoom(given?: Partial<RoomDraftGiven>): Promise<string>
  newSuspendedRoom(given?: Partial<RoomDraftGiven>): Promise<string>
  /** Sends a file like the console. @returns the server's answer @throws {ProblemError} when the server refuses */
  upload<Name extends UploadRoute>(route: Name, file: UploadedFile, by?: SignedInClient): Promise<Answer<Name>['body']>
  /** Compares the console with its regions and stores, by `npm run doctor`. @returns the findings */
  doctor(env?: Record<string, string>): Promise<DoctorsReport['findings']>
  /** Waits until no operation is running or waiting. */
  settle(): Promise<void>
  stop(): Promise<void>
}

export async function bootNetwork(options: NetworkOptions = {}): Promise<Network> {
  const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-network-'))
  const database = options.database ?? (await createNetworkDatabase({ isPrepared: true }))
  const baseEnv = {
    DATA_DIR: join(dir, 'server'),
    DATA_SHARED: '1',
    DATABASE_URL: database.url,
    SECRET_KEY: 'a secret key for tests only',
    EMBEDDED_REGIONS: '0',
    // No calls by themselves: tests count the calls to regions, and plan a fault for the next call.
    REGION_HEALTH_SECONDS: '0',
    ROOM_RECORD_SECONDS: '0',
    FAULT_FILE: join(dir, 'fault'),
    ...options.env,
  }
  const wanted: WantedRegion[] =
    typeof options.regions === 'object' ? options.regions : Array.from({ length: options.regions ?? 1 }, () => ({}))
  const regionOptions = wanted.map((each, index) => ({
    name: `region-${index + 1}`,
    dataDir: join(dir, `region-${index + 1}`),
    ...each,
  }))
  const [server, ...regions] = await Promise.all([startServer(baseEnv), ...regionOptions.map(startRegion)])
  const more: RunningServer[] = []
  const former: RunningServer[] = []
  const roles = new Map<Role, SignedInClient>()
  const network: Network = {
    dir,
    settings: baseEnv,
    database,
    server,
    regions,
    admin: null as never,
    async as(role) {
      const known = roles.get(role)
      if (known !== undefined && (await isSignedIn(known))) return known
      const account = operatorDraft(role)
      if (known === undefined) await network.admin.call('createOperator', { body: account })
      const client = await network.newSession({ email: account.email })
      roles.set(role, client)
      return client
    },
    newSession: (given = {}, at) => openSession(database, () => (at ?? network.server).address, given),
    async restartServer(env = {}) {
      await network.server.ended
      former.push(network.server)
      network.server = await startServer({ ...baseEnv, ...env })
    },
    async addServer(env = {}) {
      const added = await startServer({ ...baseEnv, ...env })
      more.push(added)
      return added
    },
    async restartRegion(index, env = {}) {
      const old = network.regions[index]
      const base = regionOptions[index]
      if (old === undefined || base === undefined) throw new Error(`There is no region ${index}.`)
      await old.ended
      network.regions[index] = await startRegion({ ...base, port: old.port, env: { ...base.env, ...env } })
    },
    async planFault(point) {
      await rm(`${baseEnv.FAULT_FILE}.done`, { force: true })
      await writeFile(baseEnv.FAULT_FILE, point)
    },
    faultHappened: async () => existsSync(`${baseEnv.FAULT_FILE}.done`),
    async setRegionFaults(rules, index = 0) {
      const answer = await fetch(`${network.regions[index]?.url}/faults`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(rules),
      })
      if (!answer.ok) throw new Error(`The region did not take the faults: ${answer.status}.`)
    },
    async newRoom(given = {}) {
      const body = roomDraft(given)
      await network.admin.call('createRoom', { body })
      await network.settle()
      return body.tenantName
    },
    async newSuspendedRoom(given = {}) {
      const name = await network.newRoom(given)
      await network.admin.call('suspendRoom', { body: { roomName: name, userNotification: false } })
      await network.settle()
      return name
    },
    upload: (route, file, by = network.admin) => sendUpload(network.server.address, route, file, by.token),
    doctor: async (env = {}) => (await callDoctor({ ...baseEnv, ...env })).findings,
    settle: () => until('all operations have ended', async () => (await openOperations(database)) === 0, 60),
    async stop() {
      await Promise.all([network.server, ...more].map((each) => each.stop()))
      await Promise.all(network.regions.map((each) => each.stop('SIGKILL')))
      await database.drop()
      await rm(dir, { recursive: true, force: true })
      for (const each of [network.server, ...more, ...former]) expectNamedRefusals(each.output())
    },
  }
  network.admin = await network.newSession()
  for (const [index, region] of regions.entries()) await registerRegion(network.admin, region, wanted[index]?.maxRooms)
  return network
}

async function isSignedIn(client: Client): Promise<boolean> {
  return client.call('checkSession', {}).then(
    () => true,
    (error: unknown) => !(error instanceof ProblemError && error.problem.status === 401),
  )
}

/** @param maxNumOfTenants how many rooms it takes; -1: any number */
export async function registerRegion(
  admin: Client,
  region: Pick<RunningRegion, 'name' | 'url' | 'userName' | 'password' | 'systemPassword'>,
  maxNumOfTenants = -1,
): Promise<void> {
  await admin.call('createRegion', {
    body: {
      regionName: region.name,
      regionIPorURL: region.url,
      userName: region.userName,
      password: region.password,
      passwordSystem: region.systemPassword,
      productVersion: ['ARIS', 'MINING', 'ENTERPRISE'],
      maxNumOfTenants,
    },
  })
}

/** @throws Error when a server refused a call with a code that the call's route in the contract does not name */
function expectNamedRefusals(output: string): void {
  const lines = output
    .split('\n')
    .filter((line) => line.includes('refused with a code that the contract does not name'))
  if (lines.length > 0) throw new Error(`Please add these codes to \`refuses\` of their routes:\n${lines.join('\n')}`)
}

/** How many operations run or wait. */
export async function openOperations(database: Pick<NetworkDatabase, 'rows'>): Promise<number> {
  const [row] = await database.rows<{ open: number }>(
    `select count(*)::int as open from operations where state in ('waiting', 'running', 'cancelling')`,
  )
  return row?.open ?? 0
}
