/** The body of an answer as text; what is longer than any answer of the protocol is not read on. */
import { RegionRefusal } from './errors.ts'

/** Of what a call answers, and of why it was refused. */
export const longestAnswer = 16 * 1024 * 1024
export const longestRefusal = 64 * 1024

/** What was packed counts as it is unpacked. @throws {RegionRefusal} when it is too long; whatever reading throws */
export async function boundedText(response: Response, bytesAtMost = longestAnswer): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop ends the connection.
    if (bytes > bytesAtMost) throw new RegionRefusal(502, 'about:blank', 'The region answered more than it may.')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
