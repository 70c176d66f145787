/** A proxy before a region that serves the file of a job, while the job seems to run, as a test wants. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

export interface FollowingProxy {
  url: string
  /** Serves the file that the job has really made. Until it has returned, the job seems to run. */
  serves: (answer: ServerResponse, truth: Buffer) => unknown
  /** The calls for files, such as `GET job`, or `GET bytes=5-` for the rest of a file. */
  reads: string[]
  /** How long a sign-in takes. */
  signInMilliseconds: number
  /** What rooms are said to hold; null: the truth. */
  roomBytes: number | null
  /** How the jobs end instead; null: as they do. */
  ends: object | null
  stop(): void
}

export async function startFollowingProxy(region: string): Promise<FollowingProxy> {
  /** Jobs whose file has not been served yet. */
  const held = new Set<string>()
  const server = createServer(async (asked, answer) => {
    const { method = 'GET', url: path = '/', headers } = asked
    const body = Buffer.concat(await asked.toArray())
    const forward = (to = path, how = method, content: Buffer | null = body) =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request(
          region + to,
          { method: how, headers: { ...headers, 'accept-encoding': 'identity' } },
          resolve,
        )
        sent.on('error', reject).end(content ?? undefined)
      })
    try {
      const job = /\/jobs\/([^/?]+)/.exec(path)?.[1]
      if (job !== undefined && path.endsWith('/file')) {
        const known = await forward(`/region/v1/jobs/${job}`, 'GET', null)
        if (known.statusCode !== 200) {
          // It is asked for before the job is, if both had to wait for a sign-in. The caller asks again.
          answer.writeHead(known.statusCode ?? 502, known.headers)
          known.pipe(answer)
          return
        }
        known.resume()
        proxy.reads.push('GET job')
        const made = await resultOf(() => forward(`/region/v1/jobs/${job}`, 'GET', null))
        const truth = Buffer.concat(await (await forward(`/region/v1/files/${made}`, 'GET', null)).toArray())
        await proxy.serves(answer, truth)
        held.delete(job)
        return
      }
      if (path.endsWith('/session')) await setTimeout(proxy.signInMilliseconds)
      if (path.includes('/files/') && method === 'GET') proxy.reads.push(`GET ${headers.range ?? 'file'}`)
      if (job !== undefined && method === 'PUT' && body.includes('"backupRoom"')) held.add(job)
      const said = await forward()
      if (proxy.roomBytes !== null && method === 'GET' && /\/rooms\/[^/]+$/.test(path)) {
        const told = JSON.parse(Buffer.concat(await said.toArray()).toString()) as object
        answer.writeHead(said.statusCode ?? 502, { 'content-type': 'application/json' })
        answer.end(JSON.stringify({ ...told, size: proxy.roomBytes }))
        return
      }
      if (job === undefined || method === 'DELETE' || !(held.has(job) || proxy.ends !== null)) {
        answer.writeHead(said.statusCode ?? 502, said.headers)
        said.pipe(answer)
        return
      }
      const told = JSON.parse(Buffer.concat(await said.toArray()).toString()) as object
      const running = { state: 'running', progress: 0.5, lines: [], result: null, error: null }
      answer.writeHead(said.statusCode ?? 502, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ ...told, ...(held.has(job) ? running : proxy.ends) }))
    } catch {
      answer.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: FollowingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serves: (answer, truth) => answer.end(truth),
    reads: [],
    signInMilliseconds: 0,
    roomBytes: null,
    ends: null,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return proxy
}

/** The file that the job has made, once it has. */
async function resultOf(ask: () => Promise<IncomingMessage>): Promise<string> {
  for (;;) {
    const job = JSON.parse(Buffer.concat(await (await ask()).toArray()).toString())
    if (job.state === 'done') return job.result.file
    if (!['queued', 'running'].includes(job.state)) throw new Error(`The job ended ${job.state}.`)
  }
}
