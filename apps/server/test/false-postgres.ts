/** A program that pretends to be PostgreSQL, to hear what whoever connects tells it. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

export type Demand =
  | 'the password in clear'
  | 'an MD5 hash'
  | 'nothing'
  | 'nothing at all'
  | 'SCRAM, without knowing the password'

export interface FalsePostgres {
  /** All that it was told after the first message, which names user and database. */
  heard(): string
  connections(): number
  demand(what: Demand): void
  close(): Promise<void>
}

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const authentication = (code: number, more = '') => {
  const body = Buffer.alloc(4)
  body.writeInt32BE(code)
  return message('R', Buffer.concat([body, Buffer.from(more)]))
}
const ready = message('Z', Buffer.from('I'))

export async function startFalsePostgres(
  port = 0,
  demand: Demand = 'nothing',
): Promise<FalsePostgres & { port: number }> {
  const sockets = new Set<Socket>()
  const state = { demand, heard: '', connections: 0 }
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    state.connections += 1
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    let isBegun = false
    socket.on('data', (bytes) => {
      const said = bytes.toString('latin1')
      // A look whether TLS is spoken here.
      if (bytes.length === 8 && bytes.readInt32BE(4) === 80877103) return void socket.write('N')
      if (isBegun) state.heard += said
      answer(socket, state.demand, isBegun ? said : null)
      isBegun = true
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    heard: () => state.heard,
    connections: () => state.connections,
    demand(what) {
      Object.assign(state, { demand: what, heard: '', connections: 0 })
    },
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** @param said null: the first message */
function answer(socket: Socket, demand: Demand, said: string | null): void {
  if (demand === 'SCRAM, without knowing the password') answerScram(socket, said)
  else if (said !== null) socket.write(ready)
  else if (demand === 'the password in clear') socket.write(authentication(3))
  else if (demand === 'an MD5 hash') socket.write(authentication(5, 'salt'))
  else if (demand === 'nothing') socket.write(Buffer.concat([authentication(0), ready]))
  else socket.write(ready)
}

function answerScram(socket: Socket, said: string | null): void {
  if (said === null) return void socket.write(authentication(10, 'SCRAM-SHA-256\0\0'))
  const nonce = /r=([^,]+)$/.exec(said)?.[1]
  if (said.includes('n,,')) return void socket.write(authentication(11, `r=${nonce}more,s=c2FsdA==,i=4096`))
  if (said.includes('p=')) socket.write(Buffer.concat([authentication(12, 'v=AAAA'), authentication(0), ready]))
}
