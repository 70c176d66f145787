/**
 * A proxy between two parties that simulates network faults: latency, a slow link, connections refused or reset, an
 * answer cut in the middle, a black hole. It does not interpret what passes through.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface NetworkFaults {
  /** In each direction. */
  latencyMilliseconds?: number
  /** In each direction, for each connection. */
  bytesPerSecond?: number
  /**
   * Nothing arrives any more, without an error: connections stay open, and the end of a connection does not get through
   * either. What was sent meanwhile arrives when the fault is over, because TCP sends it again. `answers`: only the
   * server's answers are held back, so it does its work, but the client does not learn of it.
   */
  blackHole?: 'everything' | 'answers'
  /** Each connection is reset in the middle of its answers, after this many more bytes. */
  cutAnswersAfterBytes?: number
  /** Open connections are reset, new ones are refused. */
  refuse?: boolean
  /** Open connections are reset, new ones are accepted and reset at once. */
  reset?: boolean
}

export interface FaultProxy {
  host: string
  port: number
  /** Replaces the faults, for open and new connections; `{}` means a network that works. */
  set(faults: NetworkFaults): Promise<void>
  connections(): number
  close(): Promise<void>
}

export async function startFaultProxy(target: { host: string; port: number }): Promise<FaultProxy> {
  const wire = new Wire()
  const accept = (client: Socket) => {
    if (wire.faults.reset === true) client.resetAndDestroy()
    else wire.add(client, connect({ ...target, noDelay: true, allowHalfOpen: true }))
  }
  let server = await listen(0, accept)
  const { port } = server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    async set(faults) {
      const wasRefusing = wire.faults.refuse === true
      wire.change(faults)
      if (faults.refuse === true && !wasRefusing) await stopListening(server)
      else if (faults.refuse !== true && wasRefusing) server = await listen(port, accept)
    },
    connections: () => wire.pairs.size,
    async close() {
      const wasRefusing = wire.faults.refuse === true
      wire.change({ reset: true })
      if (!wasRefusing) await stopListening(server)
    },
  }
}

async function listen(port: number, accept: (client: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, accept)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function stopListening(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve))
}

interface Pair {
  client: Socket
  server: Socket
  /** How many bytes of answers may still pass before the connection is cut. */
  answerBytesLeft: number
}

/** The current faults, shared by all connections of a proxy. */
class Wire {
  faults: NetworkFaults = {}
  readonly pairs = new Set<Pair>()
  #changed = Promise.withResolvers<void>()

  change(faults: NetworkFaults): void {
    this.faults = faults
    for (const pair of this.pairs) {
      pair.answerBytesLeft = faults.cutAnswersAfterBytes ?? Number.POSITIVE_INFINITY
      if (faults.refuse === true || faults.reset === true) this.#reset(pair)
    }
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  add(client: Socket, server: Socket): void {
    const answerBytesLeft = this.faults.cutAnswersAfterBytes ?? Number.POSITIVE_INFINITY
    const pair = { client, server, answerBytesLeft }
    this.pairs.add(pair)
    for (const socket of [client, server]) {
      socket.on('error', () => this.#reset(pair))
      socket.once('close', () => {
        if (client.destroyed && server.destroyed) this.pairs.delete(pair)
      })
    }
    void this.#carry(pair, client, server)
    void this.#carry(pair, server, client)
  }

  #reset(pair: Pair): void {
    pair.client.resetAndDestroy()
    pair.server.resetAndDestroy()
    this.pairs.delete(pair)
  }

  async #carry(pair: Pair, from: Socket, to: Socket): Promise<void> {
    try {
      for await (const chunk of from as AsyncIterable<Buffer>) await this.#deliver(pair, to, chunk)
      await this.#passable(pair, to)
      to.end()
    } catch {
      this.#reset(pair)
    }
  }

  async #deliver(pair: Pair, to: Socket, chunk: Buffer): Promise<void> {
    const { latencyMilliseconds = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = this.faults
    const milliseconds = latencyMilliseconds + (chunk.length / bytesPerSecond) * 1000
    if (milliseconds > 0) await Promise.race([pause(milliseconds), this.#changed.promise])
    await this.#passable(pair, to)
    if (to !== pair.client || chunk.length < pair.answerBytesLeft) {
      if (to === pair.client) pair.answerBytesLeft -= chunk.length
      if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')])
      return
    }
    to.write(chunk.subarray(0, pair.answerBytesLeft), () => this.#reset(pair))
  }

  /** Waits until bytes in this direction arrive again. */
  async #passable(pair: Pair, to: Socket): Promise<void> {
    const isHeldBack = () =>
      this.faults.blackHole === 'everything' || (this.faults.blackHole === 'answers' && to === pair.client)
    while (isHeldBack()) await this.#changed.promise
  }
}
