/**
 * A proxy between two parties that does what networks do: latency, a slow link, connections refused or reset, an answer
 * cut in its middle, a black hole. It does not interpret what passes through.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface NetworkFaults {
  /** Each way. */
  latencyMilliseconds?: number
  /** Each way, for each connection. */
  bytesPerSecond?: number
  /**
   * Nothing arrives any more, without an error: connections stay open, and their ends do not get through either. What
   * was sent meanwhile arrives when the fault is over, as TCP sends it again. `answers`: only what the server sends is
   * held back, so that it does what it is asked and nobody learns of it.
   */
  blackHole?: 'everything' | 'answers'
  /** Each connection is reset in the middle of what it answers, after so many bytes from now on. */
  cutAnswersAfterBytes?: number
  /** Open connections are reset, new ones are refused. */
  refuse?: boolean
  /** Open connections are reset, new ones are accepted and reset at once. */
  reset?: boolean
}

export interface FaultProxy {
  host: string
  port: number
  /** Replaces the faults, for open connections as for new ones; `{}` is a network that works. */
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
  /** What may still be answered before the connection is cut. */
  answerBytesLeft: number
}

/** What all connections of a proxy share: what goes wrong at the moment. */
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
      await this.#hole(pair, to)
      to.end()
    } catch {
      this.#reset(pair)
    }
  }

  async #deliver(pair: Pair, to: Socket, chunk: Buffer): Promise<void> {
    const { latencyMilliseconds = 0, bytesPerSecond = Number.POSITIVE_INFINITY } = this.faults
    const milliseconds = latencyMilliseconds + (chunk.length / bytesPerSecond) * 1000
    if (milliseconds > 0) await Promise.race([pause(milliseconds), this.#changed.promise])
    await this.#hole(pair, to)
    if (to !== pair.client || chunk.length < pair.answerBytesLeft) {
      if (to === pair.client) pair.answerBytesLeft -= chunk.length
      if (!to.write(chunk)) await Promise.race([once(to, 'drain'), once(to, 'close')])
      return
    }
    to.write(chunk.subarray(0, pair.answerBytesLeft), () => this.#reset(pair))
  }

  /** Waits until what goes this way arrives again. */
  async #hole(pair: Pair, to: Socket): Promise<void> {
    const swallows = () =>
      this.faults.blackHole === 'everything' || (this.faults.blackHole === 'answers' && to === pair.client)
    while (swallows()) await this.#changed.promise
  }
}
