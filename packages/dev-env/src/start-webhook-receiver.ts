/** A real receiver of webhooks on a free port, which answers as a test wants. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedWebhook {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** Whether it was answered with 2xx. */
  isAccepted: boolean
}

/** `endless`: accepts, and never ends its answer. `die`: closes the connection without one. */
export type ReceiverBehaviour = 'accept' | 'fail' | 'redirect' | 'hang' | 'die' | 'endless'

export interface WebhookReceiver {
  url: string
  /** Everything that has arrived, oldest first. */
  received: ReceivedWebhook[]
  /** How it answers the next calls; the last one again and again. */
  behave(...behaviours: ReceiverBehaviour[]): void
  stop(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  let behaviours: ReceiverBehaviour[] = ['accept']
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => null)
    // The sender has died in the middle of its call.
    if (body === null) return
    const behaviour = (behaviours.length > 1 ? behaviours.shift() : behaviours[0]) ?? 'accept'
    const isAccepted = behaviour === 'accept' || behaviour === 'endless'
    received.push({ path: request.url ?? '', headers: request.headers, body, isAccepted })
    answer(response, behaviour)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave(...wanted) {
      behaviours = wanted
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answer(response: ServerResponse, behaviour: ReceiverBehaviour): void {
  switch (behaviour) {
    case 'accept':
      response.end('thank you\0')
      return
    case 'fail':
      response.writeHead(500).end('no '.repeat(2000))
      return
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end()
      return
    case 'endless': {
      const send = setInterval(() => response.write('more '.repeat(4000)), 5)
      response.on('close', () => clearInterval(send))
      return
    }
    case 'die':
      response.destroy()
      return
    case 'hang':
      return
  }
}
