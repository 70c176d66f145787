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
import type { RegionProcess } from '../region-process.ts'

export interface WrongRegion {
  name: string
  /** A sentence. */
  does: string
  losesData?: true
  /** Each check that has to fail, and a part of what it says then. */
  caughtBy: Record<string, string>
  /** It has a reference region of its own, because its harm reaches other rooms, or it is restarted. */
  isAlone?: true
  faults: Faults | ((behind: Behind) => Faults)
}

/** What it does wrong with a call; all other calls are passed on, and so is one for which a fault returns null. */
export type Faults = { [Name in CallName]?: Fault } & {
  /** What breaks off at the reference ends properly here. */
  endsProperly?: true
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

/** The reference region. */
export interface Behind {
  /** Another one after a restart. */
  region: RegionProcess
  /** What the wrong region remembers. */
  marked: Set<string>
  /** Changes a file of a room, such as `system.db`, by SQL. */
  change(room: string, file: string, sql: string): void
}

/** @returns the address of the wrong region, and how it is restarted */
export async function startWrongRegion(
  reference: RegionProcess,
  { faults }: Pick<WrongRegion, 'faults'>,
): Promise<{ url: string; restart(): Promise<void>; stop(): Promise<void> }> {
  const behind: Behind = {
    region: reference,
    marked: new Set(),
    change(room, file, sql) {
      const database = new DatabaseSync(join(behind.region.dataDir, 'rooms', room, file), { timeout: 5000 })
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
      if (wrongAnswer === null && !asked.readableEnded) await passOn(asked, answer, behind, wrong)
      else write(answer, wrongAnswer ?? (await call.pass()))
    } catch {
      answer.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async restart() {
      await behind.region.kill()
      wrong.atRestart?.(behind)
      behind.region = await behind.region.again()
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      // The one that was given is the caller's.
      if (behind.region !== reference) await behind.region.kill()
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
async function passOn(
  asked: IncomingMessage,
  answer: ServerResponse,
  { region }: Behind,
  { endsProperly }: Faults,
): Promise<void> {
  const { method, url = '/', headers } = asked
  const sent = request(region.url + url, { method, headers, agent: false })
  sent.on('error', () => answer.destroy())
  asked.on('error', () => sent.destroy())
  answer.on('close', () => sent.destroy())
  asked.pipe(sent)
  const [said] = (await once(sent, 'response')) as [IncomingMessage]
  answer.writeHead(said.statusCode ?? 502, said.headers)
  said.on('error', () => (endsProperly ? answer.end() : answer.destroy()))
  said.pipe(answer)
}
