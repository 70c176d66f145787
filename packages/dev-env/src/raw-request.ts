/** An HTTP client that stops in the middle of a request. */
import { once } from 'node:events'
import { connect } from 'node:net'

export interface RawRequest {
  send(text: string): void
  /** Everything that arrived until the other side closed the connection. */
  closed: Promise<string>
  close(): void
}

/** @param address such as `http://127.0.0.1:8080` */
export async function openRawRequest(address: string): Promise<RawRequest> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  const heard: Buffer[] = []
  socket.on('data', (chunk) => heard.push(chunk))
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(Buffer.concat(heard).toString())))
  await once(socket, 'connect')
  return { send: (text) => socket.write(text), closed, close: () => socket.destroy() }
}
