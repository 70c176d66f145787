import { once } from 'node:events'
import { type IncomingMessage, request as requestByHttp } from 'node:http'
import { request as requestByHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { usageFailure } from '#failure.ts'

interface Upload {
  method: string
  headers: Readonly<Record<string, string>>
  body: Blob
}

/**
 * Makes a call as `fetch` does, and waits for its answer as long as it takes: `fetch` gives up 300 s after the last byte
 * was sent, while the server may still read what it got.
 */
export async function upload(url: string, { method, headers, body }: Upload, signal: AbortSignal): Promise<Response> {
  const make = new URL(url).protocol === 'https:' ? requestByHttps : requestByHttp
  const request = make(url, { method, headers: { ...headers, 'content-length': body.size }, signal })
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  // Who refuses an upload may close the connection when it has answered. What is wrong before ends the wait, too.
  pipeline(contentOf(body), request).catch(() => undefined)
  request.on('error', () => undefined)
  try {
    const [answer] = await answered
    return responseOf(answer, await buffer(answer))
  } finally {
    request.destroy()
  }
}

async function* contentOf(body: Blob): AsyncGenerator<Uint8Array> {
  try {
    yield* body.stream() as unknown as AsyncIterable<Uint8Array>
  } catch {
    throw usageFailure('The file cannot be read to its end. Was it changed meanwhile?')
  }
}

function responseOf({ statusCode = 0, statusMessage = '', headers }: IncomingMessage, body: Buffer): Response {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])
  const rest = { status: statusCode, statusText: statusMessage, headers: given }
  return new Response(body.byteLength === 0 ? null : body, rest)
}
