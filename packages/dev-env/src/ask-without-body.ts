/** Announces a large body, sends its first byte, and waits for an answer. */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

const announcedBytes = 1_000_000

/** @returns the status of the answer that came without the rest of the body */
export async function askWithoutBody(
  url: string,
  method: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const asked = request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers, 'content-length': announcedBytes },
  })
  try {
    asked.write('{')
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return answer.statusCode ?? 0
  } finally {
    asked.on('error', () => undefined)
    asked.destroy()
  }
}
