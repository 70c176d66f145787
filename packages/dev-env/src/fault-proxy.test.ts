/** Each fault of the proxy that tests put into the network does what it says. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, expect, it } from 'vitest'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

/** The lines that the server received. It answers each with `echo: <line>`. */
const heard: string[] = []
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    heard.push(chunk.toString())
    socket.write(`echo: ${chunk}`)
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const proxy: FaultProxy = await startFaultProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
afterEach(() => proxy.set({}))
afterAll(async () => {
  await proxy.close()
  server.close()
})

async function open(): Promise<Socket> {
  const socket = connect(proxy.port, proxy.host)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

async function answer(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return chunk.toString()
}

it('passes on what is said, and the end of a connection', async () => {
  const socket = await open()
  socket.write('one')
  expect(await answer(socket)).toBe('echo: one')
  socket.end()
  await closed(socket)
})

it('as a black hole it holds back what is said until it is over', async () => {
  const socket = await open()
  await proxy.set({ blackHole: 'everything' })
  socket.write('into the hole')
  const other = await open()
  other.write('also')
  expect(heard).not.toContain('into the hole')
  await proxy.set({})
  expect(await answer(socket)).toBe('echo: into the hole')
  expect(heard).toContain('also')
  socket.destroy()
  other.destroy()
})

it('as a black hole for answers it lets the server do what it is asked', async () => {
  const socket = await open()
  await proxy.set({ blackHole: 'answers' })
  socket.write('done unheard')
  while (!heard.includes('done unheard')) await new Promise(setImmediate)
  expect(socket.bytesRead).toBe(0)
  await proxy.set({})
  expect(await answer(socket)).toBe('echo: done unheard')
  socket.destroy()
})

it('cuts an answer in its middle', async () => {
  const socket = await open()
  await proxy.set({ cutAnswersAfterBytes: 4 })
  const ended = closed(socket)
  socket.write('two')
  expect(await answer(socket)).toBe('echo')
  await ended
})

it('refuses, and resets what is open', async () => {
  const socket = await open()
  const ended = closed(socket)
  await proxy.set({ refuse: true })
  await ended
  const refused = connect(proxy.port, proxy.host)
  expect((await once(refused, 'error'))[0]).toMatchObject({ code: 'ECONNREFUSED' })
  await proxy.set({})
  const again = await open()
  again.write('back')
  expect(await answer(again)).toBe('echo: back')
  again.destroy()
})

it('delays', async () => {
  await proxy.set({ latencyMilliseconds: 60 })
  const begun = performance.now()
  const socket = await open()
  socket.write('late')
  expect(await answer(socket)).toBe('echo: late')
  expect(performance.now() - begun).toBeGreaterThan(110)
  socket.destroy()
})
