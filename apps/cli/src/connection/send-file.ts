/** Sends a file to a call that takes an upload. */
import { openAsBlob } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Answer, ProblemError, problem, type Route, routes } from '@roomkeeper/contract'
import { Failure, usageFailure } from '#failure.ts'
import { note } from '#terminal/say.ts'
import { refusalOf, type Server } from './connect.ts'
import { patientFetch } from './patient-fetch.ts'

/** @throws Failure */
export async function sendFile(
  server: Server,
  path: string,
  signal?: AbortSignal,
): Promise<Answer<'uploadBackup'>['body']> {
  const route: Route = routes.uploadBackup
  const name = basename(path)
  const form = new FormData()
  form.set('file', await openFile(path), name)
  note(`Sending ${name} …`)
  const { url, token } = server.login
  const response = await patientFetch(
    url + route.path,
    { method: route.method, headers: { authorization: `Bearer ${token}` }, body: form },
    // Not sent again by itself: it may be gigabytes.
    { isRepeatable: false, answerSeconds: null, signal: signal ?? null },
  )
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return route.answers[200]?.decode(answer) as Answer<'uploadBackup'>['body']
  const read = problem.safeParse(answer)
  if (read.success) throw refusalOf(new ProblemError(read.data), response.headers.get('x-request-id'))
  throw new Failure('unreachable', `The server answered ${response.status} ${response.statusText}.`)
}

async function openFile(path: string): Promise<Blob> {
  await access(path, constants.R_OK).catch((error: Error) => {
    throw usageFailure(`The file cannot be read: ${error.message}`)
  })
  return openAsBlob(path)
}
