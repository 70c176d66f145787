/**
 * Live hints from the server: one stream per tab, shared by everybody who listens. connecting → live → (lost) →
 * connecting, with growing pauses; while it is not live, queries poll instead. A hidden tab closes its stream, so that
 * many tabs do not use up the browser's connections.
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
    const notify = (event: LiveEvent) => latest(event)
    listeners.add(notify)
    return () => void listeners.delete(notify)
  }, [])
}

/** How often a query should poll: never while the stream is live. */
export function usePollInterval(): number | false {
  return useSyncExternalStore(subscribeToState, () => isLive) ? false : pollMilliseconds
}

/** Keeps the stream open until the returned function is called. */
export function startEventStream(): () => void {
  const position: StreamPosition = { lastId: null, wasLive: false }
  let following: AbortController | null = null
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined
  const follow = () => {
    following ??= new AbortController()
    void keepFollowing(position, following.signal)
  }
  const stop = () => {
    following?.abort()
    following = null
  }
  const onVisibility = () => {
    clearTimeout(hiddenTimer)
    if (document.hidden) hiddenTimer = setTimeout(stop, hiddenMilliseconds)
    else if (following === null) follow()
  }
  document.addEventListener('visibilitychange', onVisibility)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    clearTimeout(hiddenTimer)
    stop()
  }
}

/** Where the stream is to be resumed. */
interface StreamPosition {
  lastId: string | null
  wasLive: boolean
}

async function keepFollowing(position: StreamPosition, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await followOnce(position, signal, () => {
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

async function followOnce(position: StreamPosition, signal: AbortSignal, onConnected: () => void): Promise<void> {
  const silence = new AbortController()
  const resume = position.lastId === null ? {} : { 'last-event-id': position.lastId }
  const headers = { ...inBackground, ...resume }
  const response = await client.open('events', { headers, signal: AbortSignal.any([signal, silence.signal]) })
  onConnected()
  setLive(true)
  // Nothing to resume from, but something may have happened since the last connection.
  if (position.wasLive && position.lastId === null) notify({ type: 'reset' })
  position.wasLive = true
  for await (const message of readMessages(endingWhenSilent(response.body, silence))) {
    position.lastId = message.id
    notifyMessage(message.event, message.data)
  }
}

/** The server sends a heartbeat every 15 s; a stream without any was cut off on the way. */
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

function notifyMessage(event: string, data: string): void {
  if (event === 'reset') {
    notify({ type: 'reset' })
    return
  }
  try {
    const parsed = serverEvent.safeParse(JSON.parse(data))
    if (parsed.success) notify(parsed.data)
  } catch {
    // A kind of message that this console does not know yet.
  }
}

function notify(event: LiveEvent): void {
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
