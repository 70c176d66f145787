/** An HTTP client that reads its answers slowly or never. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'

export interface SlowReader {
  send(text: string): void
  /** Whether the server still has the connection open, even if bytes wait to be read. Linux only. */
  isServed(): Promise<boolean>
  /** Reads everything, about this many bytes after each pause. @returns how many arrived before the connection ended */
  readInParts(bytes: number, pauseMilliseconds: number): Promise<number>
  close(): void
}

/** @param address such as `http://127.0.0.1:8080` */
export async function openSlowReader(address: string): Promise<SlowReader> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  const ends = [Number(port), socket.localPort ?? 0].map((each) => each.toString(16).toUpperCase().padStart(4, '0'))
  return {
    send: (text) => socket.write(text),
    isServed: async () => (await stateOf(ends)) === 'established',
    async readInParts(bytes, pauseMilliseconds) {
      const closed = once(socket, 'close')
      let all = 0
      let now = 0
      socket.on('data', (chunk) => {
        all += chunk.length
        now += chunk.length
        if (now < bytes) return
        now = 0
        socket.pause()
        setTimeout(() => socket.resume(), pauseMilliseconds)
      })
      socket.resume()
      await closed
      return all
    },
    close: () => socket.destroy(),
  }
}

/** The state of the server's end of a connection. */
async function stateOf([server, client]: string[]): Promise<'established' | 'over'> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/))
  const found = lines.find(([, local, remote]) => local?.endsWith(`:${server}`) && remote?.endsWith(`:${client}`))
  return found?.[3] === '01' ? 'established' : 'over'
}
