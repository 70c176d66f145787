/** Sends a file to a call that takes an upload. */
import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Answer, ProblemError, problem, type Route, routes } from '@roomkeeper/contract'
import { Failure, usageFailure } from '#failure.ts'
import { notARoomkeeperServer, refusalOf, type Server } from './connect.ts'
import { callWithRetries } from './retries.ts'
import { upload } from './upload.ts'

/** @throws Failure */
export async function sendFile(server: Server, path: string): Promise<Answer<'uploadBackup'>['body']> {
  const { connection } = server
  const route: Route = routes.uploadBackup
  const name = basename(path)
  const { type, body } = formWith(await openFile(path), name)
  connection.terminal.note(`Sending ${name} …`)
  const url = connection.login.url + route.path
  const headers = { authorization: `Bearer ${connection.login.token}`, 'content-type': type }
  const response = await callWithRetries(
    connection,
    url,
    (either) => upload(url, { method: route.method, headers, body }, either),
    // A file may be gigabytes, so it is not sent again by itself.
    { isRepeatable: false, answerSeconds: null, signal: null },
  )
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) {
    const sent = routes.uploadBackup.answers[200].safeDecode(answer as never)
    if (sent.success) return sent.data
    throw notARoomkeeperServer()
  }
  const read = problem.safeParse(answer)
  if (read.success) throw refusalOf(new ProblemError(read.data), response.headers.get('x-request-id'))
  throw new Failure('unreachable', `The server answered ${response.status} ${response.statusText}.`)
}

async function openFile(path: string): Promise<Blob> {
  try {
    await access(path, constants.R_OK)
    // The size of a pipe's content is unknown.
    if (!(await stat(path)).isFile()) throw usageFailure(`${path} is no file.`)
    return await openAsBlob(path)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw usageFailure(`The file cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
}

/** As `FormData` is sent, with a length that is known before. */
function formWith(file: Blob, name: string): { type: string; body: Blob } {
  const boundary = `roomkeeper-${randomUUID()}`
  const quoted = name.replace(/["\r\n]/g, encodeURIComponent)
  const head = `content-disposition: form-data; name="file"; filename="${quoted}"\r\ncontent-type: application/octet-stream`
  const body = new Blob([`--${boundary}\r\n${head}\r\n\r\n`, file, `\r\n--${boundary}--\r\n`])
  return { type: `multipart/form-data; boundary=${boundary}`, body }
}
