/** Sends a file to a route that takes uploads. */
import { openAsBlob } from 'node:fs'
import { type Answer, ProblemError, problem, type Route, routes } from '@roomkeeper/contract'

export type UploadRoute = 'uploadImport' | 'uploadBackup' | 'uploadDatabase'

/** Bytes, or the path of a file. */
export interface UploadedFile {
  name: string
  content: Uint8Array<ArrayBuffer> | string
}

export async function sendUpload<Name extends UploadRoute>(
  address: string,
  name: Name,
  file: UploadedFile,
  token: string,
): Promise<Answer<Name>['body']> {
  const route: Route = routes[name]
  const form = new FormData()
  form.set(
    'file',
    typeof file.content === 'string' ? await openAsBlob(file.content) : new Blob([file.content]),
    file.name,
  )
  const response = await fetch(address + route.path, {
    method: route.method,
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new ProblemError(problem.parse(answer))
  return route.answers[200]?.decode(answer) as Answer<Name>['body']
}
