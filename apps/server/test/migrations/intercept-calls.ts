/** Stands between the console and a region: sees every call, and can do something while one is on its way. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Network } from '@roomkeeper/dev-env'

export interface PassingCall {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** What a proxy says that does not find its region. */
export interface Answerer {
  status: number
  text: string
}

/**
 * From now on the console reaches this region through it.
 * @param seen a call goes on to the region only when this is done; one that is `lost` does not, and the console gets no
 * answer; nor does one that is answered instead of the region
 * @returns what ends it; the console does not reach the region any more then
 */
export async function interceptCalls(
  network: Network,
  index: number,
  seen: (call: PassingCall) => unknown,
): Promise<() => void> {
  const between = createServer(async (asked, answer) => {
    const { method = '', url: path = '', headers } = asked
    const body = Buffer.concat(await asked.toArray())
    const what = await seen({ method, path, headers, body: body.toString() })
    if (what === 'lost') return void answer.destroy()
    if (isAnswerer(what)) return void answer.writeHead(what.status, { 'content-type': 'text/plain' }).end(what.text)
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

/** A call that comes to the region only now. @returns how it is refused; undefined when it is not */
export async function deliver(network: Network, index: number, call: PassingCall): Promise<string | undefined> {
  const { 'content-length': _, connection: __, ...headers } = call.headers
  const passed = request(`${network.regions[index]?.url}${call.path}`, { method: call.method, headers })
  passed.end(call.body)
  const [answer] = await once(passed, 'response')
  const body = Buffer.concat(await answer.toArray()).toString()
  return answer.statusCode < 400 ? undefined : (JSON.parse(body) as { type: string }).type
}
