/**
 * Live hints from the server: one stream per tab, shared by everybody who listens.
 * connecting → live → (lost) → connecting, with growing pauses; while it is not live, queries poll instead.
 * A tab that nobody sees closes its stream, so that many tabs do not use up the browser's connections.
 */
import { ProblemError, type ServerEvent, serverEvent } from '@roomkeeper/contract'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { client, inBackground } from './client.ts'
import { readMessages } from './sse.ts'

/** `reset`: something may have been missed, everything shown should be fetched anew. */
export type LiveEvent = ServerEvent | { type: 'reset' }

export const pollMilliseconds = 10_000
const firstPauseMilliseconds = 1_000
const longestPauseMilliseconds = 30_000
const hiddenMilliseconds = 30_000
const silentMilliseconds = 45_000

const listeners = new Set<(event: LiveEvent) => void>()
const stateListeners = new Set<() => void>()
let isLive = false

/** Calls `listener` for every event while the component is mounted. */
export function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const latest = useEffectEvent(listener)
  useEffect(() => {
    const tell = (event: LiveEvent) => latest(event)
    listeners.add(tell)
    return () => void listeners.delete(tell)
  }, [])
}

/** How often a query should ask by itself: not at all while the stream tells. */
export function usePollInterval(): number | false {
  return useSyncExternalStore(subscribeToState, () => isLive) ? false : pollMilliseconds
}

/** Keeps the stream open until the returned function is called. */
export function startEventStream(): () => void {
  const place: Place = { lastId: null, hasBeenLive: false }
  let following: AbortController | null = null
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    following ??= new AbortController()
    void keepFollowing(place, following.signal)
  }
  const leave = () => {
    following?.abort()
    following = null
  }
  const onVisibility = () => {
    clearTimeout(hiddenTimer)
    if (document.hidden) hiddenTimer = setTimeout(leave, hiddenMilliseconds)
    else if (following === null) follow()
  }
  document.addEventListener('visibilitychange', onVisibility)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    clearTimeout(hiddenTimer)
    leave()
  }
}

/** Where the stream is to be resumed. */
interface Place {
  lastId: string | null
  hasBeenLive: boolean
}

async function keepFollowing(place: Place, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await followOnce(place, signal, () => {
        failures = 0
      })
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 401) break
    }
    setLive(false)
    await pause(Math.min(firstPauseMilliseconds * 2 ** failures++, longestPauseMilliseconds), signal)
  }
  setLive(false)
}

async function followOnce(place: Place, signal: AbortSignal, onConnected: () => void): Promise<void> {
  const silence = new AbortController()
  const resume = place.lastId === null ? {} : { 'last-event-id': place.lastId }
  const headers = { ...inBackground, ...resume }
  const response = await client.open('events', { headers, signal: AbortSignal.any([signal, silence.signal]) })
  onConnected()
  setLive(true)
  // Nothing to resume from, but something may have happened since the last connection.
  if (place.hasBeenLive && place.lastId === null) tell({ type: 'reset' })
  place.hasBeenLive = true
  for await (const message of readMessages(endingWhenSilent(response.body, silence))) {
    place.lastId = message.id
    tellMessage(message.event, message.data)
  }
}

/** The server sends a beat every 15 s; a stream without any has been cut somewhere on the way. */
function endingWhenSilent(body: Response['body'], silence: AbortController): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silentMilliseconds)
  }
  restart()
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      restart()
      controller.enqueue(chunk)
    },
    flush: () => clearTimeout(timer),
  })
  return (body ?? new ReadableStream()).pipeThrough(watch)
}

function tellMessage(event: string, data: string): void {
  if (event === 'reset') {
    tell({ type: 'reset' })
    return
  }
  try {
    const parsed = serverEvent.safeParse(JSON.parse(data))
    if (parsed.success) tell(parsed.data)
  } catch {
    // A kind of message that this console does not know yet.
  }
}

function tell(event: LiveEvent): void {
  for (const listener of listeners) listener(event)
}

function setLive(now: boolean): void {
  if (isLive === now) return
  isLive = now
  for (const listener of stateListeners) listener()
}

function subscribeToState(listener: () => void): () => void {
  stateListeners.add(listener)
  return () => stateListeners.delete(listener)
}

/** Up to a third longer at random, so that many consoles do not come back at the same moment. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds * (1 + Math.random() / 3))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
