/**
 * A region that does one thing wrong: a proxy before a reference region, which it passes everything else on to. It also
 * has the reference's data folder and process, so it can do harm behind the reference's back.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { regionBasePath, regionRoutes } from '@roomkeeper/region-protocol'
import { type RegionProcess, startRegion } from '../region-process.ts'

export interface WrongRegion {
  name: string
  /** A sentence. */
  does: string
  losesData?: true
  /** Each check that has to fail, and a part of what it says then. */
  caughtBy: Record<string, string>
  /** What the kit says differs from run to run, such as by the moment of a kill. */
  varies?: true
  /** `together`: once, with others. `alone`: several times, so it has a reference region of its own. */
  restarts?: 'together' | 'alone'
  faults: Faults | ((behind: Behind) => Faults)
}

/** What it does wrong with a call; all other calls are passed on, and so is one for which a fault returns null. */
export type Faults = { [Name in CallName]?: Fault } & {
  /** While the reference region is stopped. */
  atRestart?: (behind: Behind) => void
}

export type CallName = keyof typeof regionRoutes | 'document' | 'visit'
type Fault = (call: Call, behind: Behind) => Answer | null | Promise<Answer | null>

/** A call of the kit. */
export interface Call {
  method: string
  /** Path and query. */
  url: string
  name: string
  id: string
  headers: Record<string, string>
  json<T = Json>(): Promise<T>
  bytes(): Promise<Buffer>
  /** Passes it on, with these changes. */
  pass(change?: Change): Promise<Answer>
}

interface Change {
  method?: string
  url?: string
  /** Undefined: the header is left out. */
  headers?: Record<string, string | undefined>
  json?: object
  bytes?: Buffer
}

// Wrong answers have any shape.
// biome-ignore lint/suspicious/noExplicitAny: they are changed in any way
export type Json = any

export interface Answer {
  status: number
  headers?: Record<string, string>
  json?: Json
  bytes?: Buffer
}

/** What is behind a wrong region. */
export interface Behind {
  /** The reference region; another process after a restart. */
  readonly region: RegionProcess
  /** What its calls have named: rooms, jobs and files, operations. */
  names: Set<string>
  ids: Set<string>
  operations: Set<string>
  /** What the wrong region remembers. */
  marked: Set<string>
  /** Changes a file of a room, such as `system.db`, by SQL. */
  change(room: string, file: string, sql: string): void
}

/** A reference region of one or more wrong regions. */
export interface Reference {
  readonly region: RegionProcess
  /** Once all of them want it, kills the region, does their harm, and starts it again. */
  restart(harm: () => void): Promise<void>
  /** One of them wants no restart any more. */
  leave(): void
  remove(): Promise<void>
}

export async function startReference(wrongRegions: number): Promise<Reference> {
  let region = await startRegion()
  let left = wrongRegions
  let waiting: { harm: () => void; restarted: PromiseWithResolvers<void> }[] = []
  const restartOnceAllWait = async () => {
    if (waiting.length < left || waiting.length === 0) return
    const those = waiting
    waiting = []
    await region.kill()
    for (const { harm } of those) harm()
    region = await region.again()
    for (const { restarted } of those) restarted.resolve()
  }
  return {
    get region() {
      return region
    },
    async restart(harm) {
      const restarted = Promise.withResolvers<void>()
      waiting.push({ harm, restarted })
      await restartOnceAllWait()
      return restarted.promise
    },
    leave() {
      left -= 1
      void restartOnceAllWait()
    },
    remove: () => region.remove(),
  }
}

/** @returns the address of the wrong region, and how it is restarted */
export async function startWrongRegion(
  reference: Reference,
  { faults }: Pick<WrongRegion, 'faults'>,
): Promise<{ url: string; restart(): Promise<void>; stop(): void }> {
  const behind: Behind = {
    get region() {
      return reference.region
    },
    names: new Set(),
    ids: new Set(),
    operations: new Set(),
    marked: new Set(),
    change(room, file, sql) {
      const database = new DatabaseSync(join(reference.region.dataDir, 'rooms', room, file), { timeout: 5000 })
      try {
        database.exec(sql)
      } finally {
        database.close()
      }
    },
  }
  const wrong = typeof faults === 'function' ? faults(behind) : faults
  const server = createServer(async (asked, answer) => {
    const { fault, call } = readCall(asked, behind, wrong)
    try {
      const wrongAnswer = (await fault?.(call, behind)) ?? null
      if (wrongAnswer === null && !asked.readableEnded) await passOn(asked, answer, behind)
      else write(answer, wrongAnswer ?? (await call.pass()))
    } catch {
      answer.destroy()
    }
  })
  // A connection that is closed while the kit uses it again would fail a check.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    restart: () => reference.restart(() => wrong.atRestart?.(behind)),
    stop() {
      server.close()
      server.closeAllConnections()
      reference.leave()
    },
  }
}

const patterns = Object.entries(regionRoutes).map(([name, { method, path }]) => ({
  name: name as CallName,
  pattern: new RegExp(`^${method} ${regionBasePath}${path.replaceAll(/:(\w+)/g, '(?<$1>[^/?]+)')}(\\?|$)`),
}))

function readCall(asked: IncomingMessage, behind: Behind, wrong: Faults): { fault: Fault | undefined; call: Call } {
  const { method = 'GET', url = '/' } = asked
  const headers = asked.headers as Record<string, string>
  const matches = patterns.map(({ name, pattern }) => [name, pattern.exec(`${method} ${url}`)] as const)
  const [name, match] = matches.find(([, found]) => found !== null) ?? [
    url.includes('/documents/') ? 'document' : 'visit',
    null,
  ]
  let body: Promise<Buffer> | undefined
  const bytes = () => {
    body ??= asked.toArray().then((chunks) => Buffer.concat(chunks))
    return body
  }
  const call: Call = {
    method,
    url,
    name: match?.groups?.name ?? '',
    id: decodeURIComponent(match?.groups?.id ?? ''),
    headers,
    bytes,
    json: async () => JSON.parse(String(await bytes())),
    async pass(change = {}) {
      const content = change.json === undefined ? (change.bytes ?? (await bytes())) : jsonBytes(change.json)
      const sent = request(behind.region.url + (change.url ?? url), {
        method: change.method ?? method,
        agent: false,
        headers: headersOf({ ...headers, ...change.headers }, content),
      })
      sent.end(content)
      return answerOf((await once(sent, 'response'))[0])
    },
  }
  behind.names.add(call.name)
  behind.ids.add(call.id)
  behind.operations.add(headers['roomkeeper-operation'] ?? '')
  return { fault: wrong[name], call }
}

function jsonBytes(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

/** With the length of this content, if the call told one. */
function headersOf(headers: Record<string, string | undefined>, content: Buffer): Record<string, string> {
  const told = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const length = headers['content-length'] === undefined ? {} : { 'content-length': String(content.length) }
  return { ...Object.fromEntries(told), ...length }
}

async function answerOf(said: IncomingMessage): Promise<Answer> {
  const bytes = Buffer.concat(await said.toArray())
  const headers = said.headers as Record<string, string>
  const isJson = /json/.test(headers['content-type'] ?? '')
  return { status: said.statusCode ?? 502, headers, ...(isJson ? { json: JSON.parse(String(bytes)) } : { bytes }) }
}

function write(answer: ServerResponse, { status, headers = {}, json, bytes }: Answer): void {
  const content = json === undefined ? (bytes ?? Buffer.alloc(0)) : jsonBytes(json)
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  const { connection: _, 'transfer-encoding': __, ...kept } = headers
  const length = status === 204 ? {} : { 'content-length': String(content.length) }
  answer.writeHead(status, { ...type, ...kept, ...length }).end(content)
}

/** Byte by byte, so that connections break on both sides. */
async function passOn(asked: IncomingMessage, answer: ServerResponse, { region }: Behind): Promise<void> {
  const { method, url = '/', headers } = asked
  const sent = request(region.url + url, { method, headers, agent: false })
  sent.on('error', () => answer.destroy())
  asked.on('error', () => sent.destroy())
  answer.on('close', () => sent.destroy())
  asked.pipe(sent)
  const [said] = (await once(sent, 'response')) as [IncomingMessage]
  answer.writeHead(said.statusCode ?? 502, said.headers)
  said.on('error', () => answer.destroy())
  said.pipe(answer)
}
