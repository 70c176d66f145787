/** For tests: pretends to be PostgreSQL, to see what clients send. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

export const demands = [
  'the password in clear',
  'an MD5 hash',
  'nothing',
  'nothing at all',
  'SCRAM, without knowing the password',
  'to be read for ever, by an error without its end',
  'to be read for ever, by a message without its end',
  'to be a way of asking that nobody knows',
  'to be believed that a table is missing',
  'to be believed that a row is gone',
  'to be believed that no answer came',
] as const
/** What it wants. The last two want nothing: the real PostgreSQL might behave like that too. */
export type Demand =
  | (typeof demands)[number]
  | 'to be cut off in the middle of the proof'
  | 'to be silent in the middle of the proof'

export interface FalsePostgres {
  /** Everything that it received after the first message, which names user and database. */
  heard(): string
  /** The secrets that it received: the URL's password, the MD5 hash of it, or a statement. */
  learned(url: string): string[]
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
const error = (code: string, text: string, more = '') =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0${more}\0`))
const ready = message('Z', Buffer.from('I'))
const scramQuestion = authentication(10, 'SCRAM-SHA-256\0\0')
/** What it sends after the client's first message. */
const firstOutput: Partial<Record<Demand, Buffer>> = {
  'the password in clear': authentication(3),
  'an MD5 hash': authentication(5, 'salt'),
  nothing: Buffer.concat([authentication(0), ready]),
  'nothing at all': ready,
  'SCRAM, without knowing the password': scramQuestion,
  'to be cut off in the middle of the proof': scramQuestion,
  'to be silent in the middle of the proof': scramQuestion,
  'to be read for ever, by an error without its end': message('E', Buffer.from('SFATAL\0')),
  'to be a way of asking that nobody knows': authentication(4711),
  'to be believed that a table is missing': error('42P01', 'relation "rooms" does not exist'),
  'to be believed that a row is gone': error('23503', 'no such row\n\u001b[2J', 'noperations_room_id_fkey\0'),
  'to be believed that no answer came': error('XX000', 'timeout expired'),
}

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
      // A request for TLS.
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
    learned: (url) => secretsOf(url).filter((secret) => state.heard.includes(secret)),
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

function secretsOf(url: string): string[] {
  const { username, password } = new URL(url)
  const md5 = createHash('md5')
    .update(password + username)
    .digest('hex')
  return [password, md5, 'select']
}

/** @param said null for the client's first message */
function answer(socket: Socket, demand: Demand, said: string | null): void {
  if (said === null && demand === 'to be read for ever, by a message without its end') sendForEver(socket)
  else if (said === null) socket.write(firstOutput[demand] ?? '')
  else if (demand === 'SCRAM, without knowing the password') goOnWithScram(socket, said)
  else if (demand === 'to be cut off in the middle of the proof') socket.destroy()
  else if (demand === 'to be silent in the middle of the proof') return
  else socket.write(ready)
}

function goOnWithScram(socket: Socket, said: string): void {
  const nonce = /r=([^,]+)$/.exec(said)?.[1]
  if (said.includes('n,,')) return void socket.write(authentication(11, `r=${nonce}more,s=c2FsdA==,i=4096`))
  if (said.includes('p=')) socket.write(Buffer.concat([authentication(12, 'v=AAAA'), authentication(0), ready]))
}

/** Sends an error of two gigabytes. */
function sendForEver(socket: Socket): void {
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(0x7fffffff, 1)
  socket.write(head)
  const more = Buffer.alloc(64 * 1024, 'M')
  const send = () => {
    while (!socket.destroyed && socket.write(more));
  }
  socket.on('drain', send)
  send()
}
