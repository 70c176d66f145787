import { createHash } from 'node:crypto'
import { digestHeader } from '@roomkeeper/region-protocol'

/** The headers to upload this content without the client, which would retry by itself. */
export async function uploadHeaders(url: string, content: Uint8Array): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/region/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: 'superuser', password: 'region password' }),
  })
  const { token } = (await answer.json()) as { token: string }
  return {
    authorization: `Bearer ${token}`,
    'content-type': 'application/octet-stream',
    digest: digestHeader(createHash('sha256').update(content).digest('hex')),
  }
}
