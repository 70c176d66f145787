/** What a check calls: a region, with a memory for what has to be removed and for the last calls. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Capability } from '../capabilities.ts'
import { createRegionClient, type RegionClient, type SharedLogin } from '../client.ts'
import type { JobRequest, JobResult } from '../jobs.ts'
import { regionBasePath, regionRoutes } from '../routes.ts'
import type { RoomCreation } from '../schemas.ts'

export interface ConformanceTarget {
  /** Such as `http://127.0.0.1:9001`. */
  url: string
  userName: string
  password: string
  /** Without it, the update of a system database is only checked to be refused. */
  systemPassword?: string
  /** Ends the region without a warning, starts it again on the same data, and returns when it has been started. */
  restart?: () => Promise<void>
}

export interface RawAnswer {
  status: number
  headers: Headers
  /** Parsed JSON, or null. */
  json: unknown
  bytes: Uint8Array
}

export interface NewRoom {
  name: string
  roomId: string
  /** Its name and `roomId`, as jobs that change it want them. */
  own: { room: string; roomId: string }
  /** The body that created it. */
  creation: RoomCreation
}

export interface Region {
  target: ConformanceTarget
  client: RegionClient
  /** A call without the client, signed in unless `headers` say otherwise. A string or bytes are sent unchanged. */
  raw(method: string, path: string, options?: { headers?: Record<string, string>; body?: unknown }): Promise<RawAnswer>
  /** The `Authorization` header of a signed-in call. */
  authorization(): Promise<string>
  /** A name that no other check uses. Its room and redirect are removed when the check has ended. */
  newName(): string
  /** A unique id for a job, file or operation. A file of this id is removed when the check has ended. */
  newId(): string
  /** Creates a room with a new name, which holds what the region gives to new rooms. */
  newRoom(creation?: Partial<RoomCreation>): Promise<NewRoom>
  /** Runs a job with a new id. */
  run<Input extends JobRequest>(input: Input): Promise<JobResult<Input['type']>>
  /** The digest of the room as the region tells it. */
  digestOf(room: string): Promise<string>
  /** What several checks need and none changes: made by the first that asks for it, removed after the last check. */
  shared<T>(make: (region: Region) => Promise<T>): Promise<T>
  /** Has this told beside the name of the check when it passes. */
  note(text: string): void
  /** Restarts the region, and waits until it answers. Only for checks that kill. */
  restart(): Promise<void>
}

/** A region for one check. */
export interface RegionUnderTest extends Region {
  /** The last call and its answer, for people; null before the first. Tokens and tickets are left out. */
  lastCall(): Promise<string | null>
  /** What `note` was given. */
  noted(): string | null
  /** Removes the rooms, redirects and files of the check. */
  cleanUp(): Promise<void>
}

/** @param common keeps what the checks share; without it, the new one can be the common one of others */
export function createRegionUnderTest(
  target: ConformanceTarget,
  login: SharedLogin,
  common?: RegionUnderTest,
): RegionUnderTest {
  const base = `${target.url}${regionBasePath}`
  const names: string[] = []
  const ids: string[] = []
  let note: string | null = null
  let last: { call: string; text: Promise<string> } | null = null

  const remembered = (response: Response, method: string): Response => {
    const isText = /json|text/.test(response.headers.get('content-type') ?? '')
    const text = isText ? response.clone().text() : Promise.resolve('')
    const path = response.url.slice(response.url.indexOf(regionBasePath) + regionBasePath.length)
    last = { call: `${method} ${path} answered ${response.status}`, text: text.catch(() => '') }
    return response
  }
  const calls = createRegionClient(target, {
    login,
    traced: async (call, send) => remembered(await send({}), regionRoutes[call].method),
  })
  const client: RegionClient = {
    ...calls,
    async runJob(...job) {
      const result = await calls.runJob(...job)
      // The region chooses the id of a file that a job makes.
      if ('file' in result && !('to' in job[1])) ids.push(String(result.file))
      return result
    },
  }

  const newId = () => {
    const id = uniqueId()
    ids.push(id)
    return id
  }
  const newName = () => {
    const name = `cf${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
    names.push(name)
    return name
  }
  const run = <Input extends JobRequest>(input: Input) => client.runJob(uniqueId(), input)
  const authorization = async () => {
    if (login.token === null) await client.status()
    return `Bearer ${login.token}`
  }
  const made = new Map<unknown, Promise<unknown>>()
  const shared = <T>(make: (region: Region) => Promise<T>): Promise<T> => {
    const found = made.get(make) ?? make(region)
    made.set(make, found)
    return found as Promise<T>
  }
  const region: RegionUnderTest = {
    target,
    client,
    newId,
    newName,
    authorization,
    run,
    digestOf: async (room) => (await run({ type: 'digestRoom', room })).digest,
    async raw(method, path, { headers, body } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined
      const response = await fetch(base + path, {
        method,
        redirect: 'manual',
        signal: AbortSignal.timeout(callSeconds * 1000),
        headers: {
          authorization: await authorization(),
          ...(isRaw ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isRaw ? (body ?? null) : JSON.stringify(body),
      })
      remembered(response, method)
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { status: response.status, headers: response.headers, bytes, json: jsonOrNull(bytes) }
    },
    async newRoom(creation = {}) {
      const full = { ...newCreation(), ...creation }
      const name = newName()
      await client.createRoom(name, full)
      const { roomId } = full
      return { name, roomId, own: { room: name, roomId }, creation: full }
    },
    note(text) {
      note = text
    },
    noted: () => note,
    async restart() {
      await target.restart?.()
      await answersAgain(target)
      login.token = null
    },
    shared: common?.shared ?? shared,
    async lastCall() {
      if (last === null) return null
      const text = (await last.text).replace(/("(?:token|ticket)"\s*:\s*)"[^"]*"/g, '$1"…"')
      return `${last.call} ${text.length > longestAnswer ? `${text.slice(0, longestAnswer)}…` : text}`.trimEnd()
    },
    async cleanUp() {
      await Promise.all(names.map((name) => removeRoom(client, name)))
      if (ids.length === 0 || !(await client.offers('deleteFile'))) return
      await Promise.all(ids.map((id) => client.deleteFile(id)))
    },
  }
  return region
}

const uniqueId = () => `conformance-${crypto.randomUUID()}`

const longestAnswer = 600

/** Calls without the client are given up after this time. */
export const callSeconds = 60

async function answersAgain({ url }: ConformanceTarget): Promise<void> {
  const until = performance.now() + 60_000
  while (true) {
    const signal = AbortSignal.timeout(callSeconds * 1000)
    const answer = await fetch(`${url}${regionBasePath}/status`, { signal }).catch((error: unknown) => error)
    if (answer instanceof Response && answer.status === 401) return
    if (performance.now() > until) throw new Error('The region does not answer GET /status 60 s after its restart.')
    await pause(50)
  }
}

/** The users whom `newCreation` makes. */
export const owner = 'owner@conformance.example'
export const delegate = 'delegate@conformance.example'

/** Where redirects lead. */
export const elsewhere = 'https://elsewhere.example'

/** The body of a creation that any region accepts. */
export function newCreation(roomId: string = crypto.randomUUID()): RoomCreation {
  return {
    roomId,
    product: 'ARIS',
    edition: 'advanced',
    licences: [
      { licenseKey: 'YAAV', licenseAmount: 3, licenseType: 'NUC' },
      { licenseKey: 'YAAD', licenseAmount: 2, licenseType: 'NUC' },
    ],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts: {
      companyName: 'Conformance Ltd',
      customerFirstName: 'Ada',
      customerLastName: 'Lovelace',
      customerContactDetails: null,
      ownerEmail: owner,
      delegateEmail: delegate,
    },
  }
}

async function removeRoom(client: RegionClient, name: string): Promise<void> {
  const room = await client.room(name)
  if (room !== null) {
    const { roomId, lock } = room
    const holder = lock === null ? {} : { holder: lock.holder }
    await client.runJob(uniqueId(), { type: 'deleteRoom', room: name, roomId, ...holder })
  }
  await client.deleteRoute(name)
}

/** @param change of the credentials */
export function signIn({ url, userName, password }: ConformanceTarget, change: object = {}): Promise<Response> {
  return fetch(`${url}${regionBasePath}/session`, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(callSeconds * 1000),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName, password, ...change }),
  })
}

function jsonOrNull(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

/** Whether the region offers all of these. @returns the first that it lacks */
export async function lacking({ client }: Region, needs: readonly Capability[]): Promise<Capability | null> {
  for (const capability of needs) if (!(await client.offers(capability))) return capability
  return null
}
