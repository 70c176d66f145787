/** Uploads of a file that break off in the middle and are resumed. */
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { eventually } from '../region-process.ts'
import { uploadHeaders } from '../upload-headers.ts'

interface UploadSource {
  url: string
  dataDir: string
}

export const content = Buffer.from('The content of a file on its way. '.repeat(5000))

/** Uploads half of the content. Asking how much has arrived ends the upload, so it is repeated until some has. */
export async function putHalf(at: UploadSource, id: string): Promise<void> {
  const headers = { ...(await uploadHeaders(at.url, content)), 'content-length': String(content.length) }
  const part = join(at.dataDir, 'files', id, 'part')
  await eventually(async () => {
    const upload = request(`${at.url}/region/v1/files/${id}`, { method: 'PUT', headers })
    upload.on('error', () => undefined)
    upload.write(content.subarray(0, content.length / 2))
    await eventually(() => existsSync(part))
    const received = await receivedOf(at, id)
    upload.destroy()
    return received > 0
  })
}

async function receivedOf({ url }: Pick<UploadSource, 'url'>, id: string): Promise<number> {
  const headers = { ...(await uploadHeaders(url, content)), 'content-range': `bytes */${content.length}` }
  const answer = await fetch(`${url}/region/v1/files/${id}`, { method: 'PUT', headers, body: '' })
  if (!answer.ok) throw new Error(`The region does not say how much has arrived: ${answer.status}`)
  return ((await answer.json()) as { received: number }).received
}

/** Resumes the upload once, without retries. */
export async function putOnce(at: UploadSource, id: string): Promise<void> {
  const from = await receivedOf(at, id)
  if (from === content.length) return
  const range = from === 0 ? {} : { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }
  const headers = { ...(await uploadHeaders(at.url, content)), ...range }
  const body = content.subarray(from)
  const answer = await fetch(`${at.url}/region/v1/files/${id}`, { method: 'PUT', headers, body })
  if (!answer.ok) throw new Error(`The file was not taken: ${answer.status} ${await answer.text()}`)
}
