/** A store that keeps sending bytes, but never completes the head of its answer. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { boundedAnswers } from '@roomkeeper/region-protocol'
import { afterEach, expect, it } from 'vitest'

let server: Server
const sockets = new Set<Socket>()
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

async function startStore(serve: (socket: Socket) => void): Promise<S3Client> {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'access', secretAccessKey: 'secret' },
    maxAttempts: 1,
  })
  const { requestHandler } = client.config
  requestHandler.handle = boundedAnswers(requestHandler.handle.bind(requestHandler), { bytes: 100_000_000, seconds: 1 })
  return client
}

const put = (client: S3Client, bytes: number) =>
  client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'x.zip', Body: Buffer.alloc(bytes) }))

it('that never comes to the end of the head of its answer is given up', async () => {
  const client = await startStore((socket) => {
    socket.resume()
    socket.write('HTTP/1.1 200 OK\r\nx-long: ')
    const timer = setInterval(() => socket.write('x'), 50)
    socket.on('close', () => clearInterval(timer))
  })
  await expect(put(client, 10)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})

it('that hardly takes what it is sent is given up', async () => {
  const client = await startStore((socket) => {
    const timer = setInterval(() => socket.read(1024), 50)
    socket.on('close', () => clearInterval(timer))
  })
  await expect(put(client, 50_000_000)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})
