/** Sends files as browsers do. */
import { type Problem, routes } from '@roomkeeper/contract'
import type { Network, SignedInClient } from '@roomkeeper/dev-env'

export const uploadPaths = {
  uploadImport: routes.uploadImport.path,
  uploadBackup: routes.uploadBackup.path,
  uploadDatabase: routes.uploadDatabase.path,
} as const
export type UploadRoute = keyof typeof uploadPaths

export interface SentFile {
  content: Buffer | string
  name?: string
  field?: string
}

export function sendFiles(
  network: Network,
  route: UploadRoute,
  files: SentFile[],
  client: SignedInClient = network.admin,
): Promise<Response> {
  const form = new FormData()
  for (const { content, name = 'backup.zip', field = 'file' } of files)
    form.append(field, new Blob([new Uint8Array(Buffer.from(content))]), name)
  return fetch(network.server.address + uploadPaths[route], {
    method: 'POST',
    headers: { authorization: `Bearer ${client.token}` },
    body: form,
  })
}

/** Status and detail, for example `422 Wrong file`. */
export async function refusalOf(answer: Promise<Response>): Promise<string> {
  const given = await answer
  const text = await given.text()
  if (given.ok) return `${given.status} accepted`
  const { detail } = JSON.parse(text) as Problem
  return `${given.status} ${detail}`
}
