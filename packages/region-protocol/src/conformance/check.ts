/** The interface of conformance checks, and the tools that they use. */
import { isDeepStrictEqual } from 'node:util'
import type { Capability } from '../capabilities.ts'
import { RegionJobFailed, RegionRefusal, refusalTypePrefix } from '../client/errors.ts'
import { createRegionClient, type RegionClient } from '../client.ts'
import { regionBasePath } from '../routes.ts'
import { type RegionProblem, type RoomCreation, regionProblem, regionSession } from '../schemas.ts'

export interface ConformanceTarget {
  /** Such as `http://127.0.0.1:9001`. */
  url: string
  userName: string
  password: string
  /** Without it, the update of a system database is only checked to be refused. */
  systemPassword?: string
}

export interface RawAnswer {
  status: number
  headers: Headers
  /** Parsed JSON, or null. */
  json: unknown
  bytes: Uint8Array
}

export interface Region {
  target: ConformanceTarget
  client: RegionClient
  /** A call without the client, signed in unless `headers` say otherwise. A string or bytes are sent unchanged. */
  raw(method: string, path: string, options?: { headers?: Record<string, string>; body?: unknown }): Promise<RawAnswer>
  /** The `Authorization` header of a signed-in call. */
  authorization(): Promise<string>
  /** A name that no other run uses. The room and redirect of that name are removed at the end. */
  newName(): string
  /** A unique id for a job, file or operation. */
  newId(): string
  /** Creates a room with a new name. */
  newRoom(creation?: Partial<RoomCreation>): Promise<{ name: string; roomId: string; creation: RoomCreation }>
}

export interface Check {
  name: string
  /** The check is skipped for a region that lacks one of these. */
  needs?: readonly Capability[]
  run(region: Region): Promise<void>
}

/** Its message says what was expected and what the region did. */
export class CheckFailed extends Error {}

export function expectEqual(found: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(found, expected))
    throw new CheckFailed(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`)
}

export function expectThat(holds: boolean, what: string, found: unknown): void {
  if (!holds) throw new CheckFailed(`expected ${what}, got ${JSON.stringify(found)}`)
}

/** Expects the call to be refused with this status. @returns the refusal */
export async function expectRefusal(call: Promise<unknown>, status: number, what: string): Promise<RegionRefusal> {
  const outcome = await call.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  if ('answer' in outcome)
    throw new CheckFailed(`${what}: expected a refusal with ${status}, got ${JSON.stringify(outcome.answer)}`)
  const { error } = outcome
  if (!(error instanceof RegionRefusal)) throw error
  expectEqual(error.status, status, what)
  return error
}

/** Expects a call to be refused because a later worker has taken its operation over. */
export async function expectOvertaken(call: Promise<unknown>, what: string): Promise<void> {
  const refusal = await expectRefusal(call, 409, what)
  expectEqual(refusal.type, `${refusalTypePrefix}overtaken`, `${what}: the type`)
}

/** Expects the job to fail. @returns the failure */
export async function expectJobFailure(job: Promise<unknown>, what: string): Promise<RegionJobFailed> {
  const outcome = await job.catch((error: unknown) => error)
  if (outcome instanceof RegionJobFailed) return outcome
  if (outcome instanceof Error) throw outcome
  throw new CheckFailed(`${what}: expected a failed job, got ${JSON.stringify(outcome)}`)
}

/** Expects the raw answer to be a problem document with this status and a type of the protocol. */
export function expectProblem(answer: RawAnswer, status: number, what: string): RegionProblem {
  expectEqual(answer.status, status, what)
  const type = answer.headers.get('content-type') ?? ''
  expectThat(type.startsWith('application/problem+json'), `${what}: application/problem+json`, type)
  const found = regionProblem.safeParse(answer.json)
  expectThat(found.success && found.data.status === status, `${what}: a problem with status ${status}`, answer.json)
  expectThat(
    found.data?.type.startsWith(refusalTypePrefix) === true,
    `${what}: a type that begins ${refusalTypePrefix}`,
    answer.json,
  )
  return regionProblem.parse(answer.json)
}

export function createRegionUnderTest(target: ConformanceTarget): Region & { cleanUp(): Promise<void> } {
  const client = createRegionClient(target)
  const base = `${target.url.replace(/\/+$/, '')}${regionBasePath}`
  const names: string[] = []
  const newId = () => `conformance-${crypto.randomUUID()}`
  const newName = () => {
    const name = `cf${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`
    names.push(name)
    return name
  }
  let token: string | undefined
  const authorization = async () => {
    token ??= regionSession.parse(await (await post(`${base}/session`, credentialsOf(target))).json()).token
    return `Bearer ${token}`
  }
  return {
    target,
    client,
    newId,
    newName,
    authorization,
    async raw(method, path, { headers, body } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body === undefined
      const response = await fetch(base + path, {
        method,
        redirect: 'manual',
        headers: {
          authorization: await authorization(),
          ...(isRaw ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isRaw ? (body ?? null) : JSON.stringify(body),
      })
      const bytes = new Uint8Array(await response.arrayBuffer())
      return { status: response.status, headers: response.headers, bytes, json: jsonOrNull(bytes) }
    },
    async newRoom(creation = {}) {
      const full = { ...newCreation(), ...creation }
      const name = newName()
      await client.createRoom(name, full)
      return { name, roomId: full.roomId, creation: full }
    },
    async cleanUp() {
      for (const name of names) await removeRoom(client, name, newId())
    },
  }
}

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
      ownerEmail: 'owner@conformance.example',
      delegateEmail: 'delegate@conformance.example',
    },
  }
}

async function removeRoom(client: RegionClient, name: string, id: string): Promise<void> {
  const room = await client.room(name)
  if (room !== null) {
    const { roomId, lock } = room
    const holder = lock === null ? {} : { holder: lock.holder }
    await client.runJob(id, { type: 'deleteRoom', room: name, roomId, ...holder })
  }
  await client.deleteRoute(name)
}

export function credentialsOf({ userName, password }: ConformanceTarget) {
  return { userName, password }
}

export function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function jsonOrNull(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
