/** The console's only API client: every call carries the token, and a 401 ends the session. */
import { createClient } from '@roomkeeper/contract'
import { useRef } from 'react'
import { noteStart } from './events.ts'
import { noteBuild } from './new-version.ts'
import { readToken } from './token.ts'

type Listener = () => void
const onUnauthorised = new Set<Listener>()
const onActivity = new Set<Listener>()

/** Called for every call that was answered with 401 although its token is still the current one. */
export function whenUnauthorised(listener: Listener): () => void {
  onUnauthorised.add(listener)
  return () => onUnauthorised.delete(listener)
}

/** Called after every answered call that extends the session's idle time. */
export function whenActive(listener: Listener): () => void {
  onActivity.add(listener)
  return () => onActivity.delete(listener)
}

/** Marks a call that no operator has caused: it must not keep an idle session alive. */
export const inBackground = { 'x-background': '1' }

export const client = createClient({ base: '.', token: readToken, withoutToken: endedSession, fetch: watchedFetch })

async function watchedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const headers = new Headers(init?.headers)
  headers.set('traceparent', newTrace())
  const response = await fetch(input, { ...init, headers })
  noteBuild(response.headers.get('x-console-build'))
  const sent = headers.get('authorization')
  if (sent === null) return response
  noteAnswer(response, sent, headers.has('x-background'))
  if (isOfThisSession(sent) || !response.ok) return response
  // No caller may store the answer to a former operator's call, so none gets it.
  await response.body?.cancel()
  return endedSession()
}

/** Also answers calls of a page that is being left, because the server would only refuse them. */
function endedSession(): Response {
  return new Response(null, { status: 401, statusText: 'The session of this call has ended' })
}

/** Called with every answer to a call with a token. @param sent the Authorization header of the call */
export function noteAnswer(response: Response, sent: string, isBackground = false): void {
  // A late answer of an earlier session says nothing about the present one.
  if (!isOfThisSession(sent)) return
  if (response.status === 401) for (const listener of onUnauthorised) listener()
  noteStart(sent, response.headers.get('x-last-event-id'))
  if (response.ok && !isBackground) for (const listener of onActivity) listener()
}

function isOfThisSession(sent: string): boolean {
  return sent === `Bearer ${readToken()}`
}

/**
 * While the component is mounted, the same body keeps its Idempotency-Key. So a second click, or another attempt after
 * a lost connection, is answered with the first operation.
 * @returns a function that gives the header for a body
 */
export function useIdempotencyKey(): (body: unknown) => { 'idempotency-key': string } {
  const attempt = useRef({ body: '', key: '' })
  return (body) => {
    const text = JSON.stringify(body)
    if (attempt.current.body !== text) attempt.current = { body: text, key: randomKey() }
    return { 'idempotency-key': attempt.current.key }
  }
}

/** 128 random bits. `crypto.randomUUID` is missing on plain http. */
const randomKey = () => randomHex(16)

/** A W3C traceparent. Whether the trace is recorded is left to the server. */
export const newTrace = () => `00-${randomHex(16)}-${randomHex(8)}-00`

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
