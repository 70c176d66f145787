/** The one client of the console: every call carries the token, and a 401 ends the session. */
import { createClient } from '@roomkeeper/contract'
import { readToken } from './token.ts'

type Listener = () => void
const onUnauthorised = new Set<Listener>()
const onActivity = new Set<Listener>()

/** Called once for every call that answered 401 although it carried the token that is still ours. */
export function whenUnauthorised(listener: Listener): () => void {
  onUnauthorised.add(listener)
  return () => onUnauthorised.delete(listener)
}

/** Called after every answered call that extends the session's idle time. */
export function whenActive(listener: Listener): () => void {
  onActivity.add(listener)
  return () => onActivity.delete(listener)
}

/** Marks a call that the console makes by itself: it must not keep an idle session alive. */
export const inBackground = { 'x-background': '1' }

export const client = createClient({ base: '', token: readToken, fetch: watchedFetch })

async function watchedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const headers = new Headers(init?.headers)
  const response = await fetch(input, init)
  const sent = headers.get('authorization')
  if (sent !== null) noteAnswer(response, sent, headers.has('x-background'))
  return response
}

/** Every answer to a call with a token comes past here. @param sent the Authorization header of the call */
export function noteAnswer(response: Response, sent: string, isBackground = false): void {
  // A late 401 of a session that has been replaced or ended already says nothing about the present one.
  const ours = sent === `Bearer ${readToken()}`
  if (response.status === 401 && ours) for (const listener of onUnauthorised) listener()
  if (response.ok && !isBackground) for (const listener of onActivity) listener()
}
