/** A proxy between the console and a region: sees every call, and can act while the call is on its way. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Network } from '@roomkeeper/dev-env'
import type { Capability } from '@roomkeeper/region-protocol'

export interface PassingCall {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** When the caller has broken the connection off, or has its answer. */
  isOver: Promise<unknown>
}

export function asksStatus({ path }: PassingCall): boolean {
  return path.endsWith('/status')
}

export function isOfFile({ path }: PassingCall): boolean {
  return path.startsWith('/region/v1/files/')
}

/** Whether the call uploads content, instead of asking how much has arrived. */
export function bringsContent(call: PassingCall): boolean {
  return call.method === 'PUT' && isOfFile(call) && !call.headers['content-range']?.startsWith('bytes */')
}

/** The answer of a proxy that does not find its region. */
export interface Answerer {
  status: number
  text: string
  /** Default: plain text. */
  type?: string
}

/** The status of a region that lacks these, to be answered in place of the region's own. */
export async function statusWithout(
  network: Pick<Network, 'regions'>,
  index: number,
  lacks: readonly Capability[],
): Promise<Answerer> {
  const status = await network.regions[index]?.client.status()
  const capabilities = status?.capabilities.filter((each) => !lacks.includes(each))
  return { status: 200, type: 'application/json', text: JSON.stringify({ ...status, capabilities }) }
}

/**
 * From now on the console reaches this region through a proxy.
 * @param seen decides about each call before it is passed on. If it returns `lost`, the region does not get the call
 * and the console gets no answer; if it returns an answer, the console gets that one, and the region gets no call.
 * @returns a function that ends the proxy; afterwards the console cannot reach the region
 */
export async function interceptCalls(
  network: { database: Pick<Network['database'], 'rows'>; regions: readonly { url: string }[] },
  index: number,
  seen: (call: PassingCall) => unknown,
): Promise<() => void> {
  const between = createServer(async (asked, answer) => {
    const { method = '', url: path = '', headers } = asked
    const isOver = new Promise((resolve) => answer.once('close', resolve))
    const parts = await asked.toArray().catch(() => null)
    // The caller has died in the middle of its call.
    if (parts === null) return void answer.destroy()
    const body = Buffer.concat(parts)
    const what = await seen({ method, path, headers, body: body.toString(), isOver })
    if (what === 'lost') return void answer.destroy()
    if (isAnswerer(what))
      return void answer.writeHead(what.status, { 'content-type': what.type ?? 'text/plain' }).end(what.text)
    const passed = request(`${network.regions[index]?.url}${path}`, { method, headers })
    passed.on('response', (said) => {
      answer.writeHead(said.statusCode ?? 502, said.headers)
      said.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    passed.end(body)
  })
  between.listen(0, '127.0.0.1')
  await once(between, 'listening')
  await network.database.rows('update regions set url = $1 where id = $2', [
    `http://127.0.0.1:${(between.address() as AddressInfo).port}`,
    index + 1,
  ])
  return () => {
    between.close()
    between.closeAllConnections()
  }
}

function isAnswerer(what: unknown): what is Answerer {
  return typeof what === 'object' && what !== null && 'status' in what && 'text' in what
}

/** Delivers a call to the region late. @returns the type of the refusal, or undefined if the call was accepted */
export async function deliver(network: Network, index: number, call: PassingCall): Promise<string | undefined> {
  const { 'content-length': _, connection: __, ...headers } = call.headers
  const passed = request(`${network.regions[index]?.url}${call.path}`, { method: call.method, headers })
  passed.end(call.body)
  const [answer] = await once(passed, 'response')
  const body = Buffer.concat(await answer.toArray()).toString()
  return answer.statusCode < 400 ? undefined : (JSON.parse(body) as { type: string }).type
}
