/** Faults that several wrong regions have. */
import { createHash, randomUUID } from 'node:crypto'
import { digestHeader, regionBasePath } from '@roomkeeper/region-protocol'
import { copyContent, type OldContent } from './rooms-on-disk.ts'
import type { Answer, Behind, Call, Faults, Json } from './wrong-region.ts'

/** Changes the answer, unless it is a refusal. What `change` returns takes its place. */
export function answering(change: (json: Json, call: Call, behind: Behind) => unknown) {
  return async (call: Call, behind: Behind): Promise<Answer> => {
    const answer = await call.pass()
    if (answer.status !== 200 || answer.json === undefined) return answer
    const changed = await change(answer.json, call, behind)
    return { ...answer, json: changed ?? answer.json }
  }
}

/** Changes the body of the call. What `change` returns takes its place. */
export function asking(change: (json: Json, call: Call, behind: Behind) => unknown) {
  return async (call: Call, behind: Behind): Promise<Answer> => {
    const json = await call.json()
    const changed = (await change(json, call, behind)) as object | undefined
    return call.pass({ json: changed ?? json })
  }
}

/** Leaves these headers of the call out. */
export function without(...names: string[]) {
  const headers = Object.fromEntries(names.map((name) => [name, undefined]))
  return (call: Call) => call.pass({ headers })
}

/** Answers this, and does nothing. */
export function saying(status: number, json?: Json) {
  return async (call: Call): Promise<Answer> => {
    await call.bytes()
    return json === undefined ? { status } : { status, json }
  }
}

export function refusal(status: number, code: string): Answer {
  const json = { type: `urn:roomkeeper-region:${code}`, title: code, status, detail: `Refused: ${code}.` }
  return { status, json, headers: { 'content-type': 'application/problem+json' } }
}

/** Makes another call to the reference region, in the session of this one, or with these headers. */
export function also(
  call: Call,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string | undefined> = {},
): Promise<Answer> {
  const content = body instanceof Buffer ? { bytes: body } : body === undefined ? { bytes: nothing } : { json: body }
  const type = body instanceof Buffer ? 'application/octet-stream' : body && 'application/json'
  const length = body === undefined ? undefined : '0'
  const own = { ...noFence, 'content-type': type, 'content-length': length, 'transfer-encoding': undefined }
  return call.pass({ method, url: `${regionBasePath}${path}`, headers: { ...own, ...headers }, ...content })
}

const nothing = Buffer.alloc(0)

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Puts a file into the reference region. */
export function putFile(call: Call, id: string, bytes: Buffer): Promise<Answer> {
  return also(call, 'PUT', `/files/${id}`, bytes, { digest: digestHeader(sha256Of(bytes)) })
}

/** The same in a session of its own: the call has a ticket, or no session. */
export async function asConsole(call: Call): Promise<Call> {
  const credentials = { userName: 'superuser', password: 'region password' }
  const { token } = (await also(call, 'POST', '/session', credentials)).json
  const authorization = `Bearer ${token}`
  return { ...call, pass: (change) => call.pass({ ...change, headers: { ...change?.headers, authorization } }) }
}

export const noFence = { 'roomkeeper-operation': undefined, 'roomkeeper-fence': undefined }

/** What the protocol knows of a job in an answer. */
export interface ToldJob {
  id: string
  type: string
  room: string
  state: string
  result: Json
  error: Json
  lines: Json[]
}

/** Changes what is told of jobs of this type. */
export function telling(type: string, change: (job: Json, call: Call, behind: Behind) => unknown): Faults {
  const told = answering((job, call, behind) => (job.type === type ? change(job, call, behind) : undefined))
  return { startJob: told, job: told, cancelJob: told }
}

/** Changes the result of jobs of this type that are done. */
export function resulting(type: string, change: (result: Json, job: Json) => unknown): Faults {
  return telling(type, (job) => {
    if (job.state === 'done') job.result = change(job.result, job) ?? job.result
  })
}

/** Does this when a job of one of these types is done, before the caller learns it. */
export function after(types: string[], harm: (input: Json, behind: Behind, call: Call) => unknown): Faults {
  return {
    startJob: async (call, behind) => {
      const input = await call.json()
      const answer = await ended(call)
      if (types.includes(input.type) && answer.json?.state === 'done') await harm(input, behind, call)
      return answer
    },
  }
}

/** Starts the job of this call, perhaps with another input, and waits for its end. */
export async function ended(call: Call, input?: object): Promise<Answer> {
  const path = `/jobs/${encodeURIComponent(call.id)}?wait=10000`
  let answer = await call.pass({ url: regionBasePath + path, ...(input === undefined ? {} : { json: input }) })
  while (['queued', 'running'].includes(answer.json?.state)) answer = await also(call, 'GET', path)
  return answer
}

/** Runs another job. @returns its result */
export async function run(call: Call, input: object): Promise<Json> {
  const path = `/jobs/wrong-${randomUUID()}?wait=10000`
  let { json } = await also(call, 'PUT', path, input)
  while (['queued', 'running'].includes(json.state)) json = (await also(call, 'GET', path)).json
  return json.result
}

/** Takes jobs that fail with this code, and with such a detail, as done. */
export function believing(types: string[], code: string, result: (job: ToldJob) => Json, detail = /./): Faults {
  const told = answering((job) => {
    if (job.state !== 'failed' || !types.includes(job.type)) return
    if (job.error.type !== `urn:roomkeeper-region:${code}` || !detail.test(job.error.detail)) return
    return { ...job, state: 'done', progress: 1, error: null, result: result(job) }
  })
  return { startJob: told, job: told }
}

/** The jobs that replace the content of a room by a backup. */
export const restores = ['restoreRoom', 'restoreFromObjectStore', 'replaceRoom']

/** Copies what a room holds before a job of one of these types, and puts a part of it back when the job is done. */
export function keeping(types: string[], putBack: (old: OldContent) => void): Faults {
  return {
    startJob: async (call, behind) => {
      const { type, room } = await call.json()
      if (!types.includes(type)) return null
      const old = copyContent(behind, room)
      try {
        const answer = await ended(call)
        if (answer.json?.state === 'done') putBack(old)
        return answer
      } finally {
        old.remove()
      }
    },
  }
}

/** The file that a job of this type makes is another. */
export function remaking(type: string, change: (bytes: Buffer, job: string, input: Json) => Promise<Buffer>): Faults {
  const results = new Map<string, Json>()
  const told = telling(type, (job) => {
    if (results.has(job.id)) job.result = results.get(job.id)
  })
  return {
    ...told,
    startJob: async (call, behind) => {
      const input = await call.json()
      if (input.type === type && !results.has(call.id)) {
        const { json } = await ended(call)
        if (json.state === 'done') results.set(call.id, await remade(json.result))
      }
      return told.startJob?.(call, behind) ?? null

      async function remade(result: Json): Promise<Json> {
        const path = `/files/${result.file}`
        const bytes = await change((await also(call, 'GET', path)).bytes ?? Buffer.alloc(0), call.id, input)
        await also(call, 'DELETE', path)
        await putFile(call, result.file, bytes)
        return { ...result, size: bytes.length, sha256: sha256Of(bytes) }
      }
    },
  }
}

/** A job in this state, as an answer tells it. */
export function jobOf(id: string, type: string, room: string, state: string) {
  return { id, type, room, state, progress: 0, lines: [], result: null, error: null }
}

/** The answer to the start of a job that fails at once. */
export function failedJob({ id }: Call, { type, room }: Json, { json: error }: Answer): Answer {
  return { status: 200, json: { ...jobOf(id, type, room, 'failed'), error } }
}

/** A cancelled job is said to have ended, and goes on. */
export function cancelledInWords(): Faults {
  const cancelled = new Set<string>()
  const told = answering((job) => {
    if (!cancelled.has(job.id)) return
    return { ...job, state: 'failed', result: null, error: refusal(409, 'cancelled').json }
  })
  return {
    job: told,
    cancelJob: async (call, behind) => {
      cancelled.add(call.id)
      return told({ ...call, pass: () => also(call, 'GET', `/jobs/${call.id}`) }, behind)
    },
  }
}
