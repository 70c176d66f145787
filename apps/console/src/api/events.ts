/**
 * Live events from the server: one stream per tab, shared by all listeners. Its states: connecting → live → (lost) →
 * connecting, with growing pauses. While the stream is not live, queries poll instead. A hidden tab closes its stream,
 * so that many tabs do not use up the browser's connections.
 */
import { ProblemError, type ServerEvent, serverEvent } from '@roomkeeper/contract'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { client, inBackground } from './client.ts'

/** `reset`: events may have been missed, so everything shown should be refetched. */
export type LiveEvent = ServerEvent | { type: 'reset' }

const pollMilliseconds = 10_000
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

/** Where to resume the stream. */
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
  // Without an id there is nothing to resume from, but events may have happened since the last connection.
  if (position.wasLive && position.lastId === null) notify({ type: 'reset' })
  position.wasLive = true
  for await (const message of readMessages(endingWhenSilent(response.body, silence))) {
    position.lastId = message.id
    notifyMessage(message.event, message.data)
  }
}

/** Ends a stream without heartbeats, which was cut off on the way: the server sends a heartbeat every 15 s. */
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
    // This console does not know this kind of message.
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

/** Adds up to a third at random, so that many consoles do not reconnect at the same moment. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds * (1 + Math.random() / 3))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

export interface SentMessage {
  /** The last `id` received, to resume from. */
  id: string | null
  /** The event's name; 'message' when it has none. */
  event: string
  data: string
}

/**
 * Reads server-sent events from a streamed answer until it ends. EventSource cannot be used, because it cannot send the
 * Authorization header. Comments (heartbeats) yield nothing.
 * @throws if the connection breaks
 */
export async function* readMessages(stream: ReadableStream<Uint8Array>): AsyncGenerator<SentMessage> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let id: string | null = null
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const message = parseBlock(block, id)
        if (message === null) continue
        id = message.id
        yield message
      }
    }
  } finally {
    reader.releaseLock()
  }
}

function parseBlock(block: string, lastId: string | null): SentMessage | null {
  const fields = block
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => [line.split(':', 1)[0], line.replace(/^[^:]*:? ?/, '')] as const)
  if (fields.length === 0) return null
  const valuesOf = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value)
  return {
    id: valuesOf('id').at(-1) ?? lastId,
    event: valuesOf('event').at(-1) ?? 'message',
    data: valuesOf('data').join('\n'),
  }
}
