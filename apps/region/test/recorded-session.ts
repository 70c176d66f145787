/** Records calls to regions as Markdown. What differs from one recording to the next is replaced by values that stay. */
import type { RegionProcess } from './region-process.ts'

export interface RecordedCall {
  /** A path below the base path, or, of a visitor, an absolute one. */
  path: string
  method?: string
  headers?: Record<string, string>
  /** JSON, or bytes, which are not shown. */
  body?: object | Uint8Array<ArrayBuffer>
}

export interface RecordedAnswer {
  status: number
  headers: Headers
  json: Record<string, unknown>
  bytes: Uint8Array<ArrayBuffer>
}

export interface Recorder {
  /** Adds a paragraph or a heading. */
  say(text: string): void
  call(region: string, call: RecordedCall): Promise<RecordedAnswer>
  text(): string
}

/** @param regions by the names that the recording gives them */
export function createRecorder(regions: Record<string, RegionProcess>): Recorder {
  const parts: string[] = []
  const tokens = new Map<string, string>()
  const stable = createStableValues(
    Object.entries(regions).map(([name, { url }]) => [url, `https://${name.toLowerCase()}.example`]),
  )
  return {
    say: (text) => void parts.push(text),
    async call(name, { path, method = 'GET', headers = {}, body }) {
      const isJson = body !== undefined && !(body instanceof Uint8Array)
      const isProtocol = !path.startsWith('/')
      const token = tokens.get(name)
      const sent: Record<string, string> = {
        ...(token === undefined || !isProtocol ? {} : { authorization: `Bearer ${token}` }),
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...headers,
      }
      const target = isProtocol ? `/region/v1/${path}` : path
      const content = isJson ? JSON.stringify(body) : body
      const answer = await fetch(`${regions[name]?.url}${target}`, {
        method,
        headers: sent,
        redirect: 'manual',
        ...(content === undefined ? {} : { body: content }),
      })
      const bytes = new Uint8Array(await answer.arrayBuffer())
      const isJsonAnswer = /json/.test(answer.headers.get('content-type') ?? '')
      const json = isJsonAnswer ? JSON.parse(new TextDecoder().decode(bytes)) : {}
      if (path === 'session') tokens.set(name, json.token)
      const asked = [`${method} ${target} HTTP/1.1`, `Host: ${name.toLowerCase()}.example`, ...headerLines(sent)]
      const told = [`HTTP/1.1 ${answer.status}`, ...headerLines(shownHeaders(answer.headers))]
      parts.push(stable(fenced(asked, isJson ? body : undefined)))
      parts.push(stable(fenced(told, isJsonAnswer ? json : undefined, bytes.length)))
      return { status: answer.status, headers: answer.headers, json, bytes }
    },
    text: () => `${parts.join('\n\n')}\n`,
  }
}

const shown = ['content-type', 'location', 'accept-ranges', 'content-range', 'digest', 'etag']

function shownHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    shown.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value.replace('; charset=utf-8', '')]]
    }),
  )
}

function headerLines(headers: Record<string, string>): string[] {
  const capitalised = (name: string) => name.replace(/(^|-)\w/g, (start) => start.toUpperCase())
  return Object.entries(headers).map(([name, value]) =>
    name.startsWith('roomkeeper-') ? `${name}: ${value}` : `${capitalised(name)}: ${value}`,
  )
}

function fenced(head: string[], json: unknown, bytes = 0): string {
  const body = json === undefined ? (bytes === 0 ? [] : ['', '(bytes)']) : ['', JSON.stringify(json, null, 2)]
  return ['```http', ...head, ...body, '```'].join('\n')
}

/** A function that replaces secrets, times, random ids and digests in a text, equal ones by equal values. */
function createStableValues(addresses: string[][]): (text: string) => string {
  const numbered = (name: (number: number) => string) => {
    const known = new Map<string, string>()
    return (found: string) => {
      const value = known.get(found) ?? name(known.size + 1)
      known.set(found, value)
      return value
    }
  }
  const id = numbered((number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`)
  const sha256 = numbered((number) => `<SHA-256 no. ${number}>`)
  const secret = numbered((number) => `<secret no. ${number}>`)
  return (text) => {
    const named = addresses.reduce((all, [from = '', to = '']) => all.replaceAll(from, to), text)
    return named
      .replace(
        /(Bearer |"token": "|"ticket": ")([\w-]+)/g,
        (_, before: string, found: string) => before + secret(found),
      )
      .replace(/sha-256=([A-Za-z0-9+/]{43}=)/g, (_, found: string) => {
        return `sha-256=<base64 of ${sha256(Buffer.from(found, 'base64').toString('hex')).slice(1)}`
      })
      .replace(/\b[0-9a-f]{64}\b/g, sha256)
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, id)
      .replace(/("expiresAt": ")[^"]+/g, '$12027-01-31T09:31:00.000Z')
      .replace(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, (time) => (time.startsWith('2027') ? time : '2027-01-31T09:30:00.000Z'))
      .replace(/("freeBytes": )\d+/, '$1812000000000')
  }
}
