/**
 * One event stream for all tabs. Of the visible tabs with the same token, the one that holds a lock leads: it reads the
 * stream and passes everything on through a channel. When it is closed or hidden, the browser gives the lock to the
 * next tab, which resumes after the last event that all have received. Hidden tabs take no part. Where the browser has
 * no locks (plain http), each visible tab leads for itself.
 */
import { ProblemError, serverEvent } from '@roomkeeper/contract'
import { client, inBackground } from './client.ts'
import { eventsAreLive, type LiveEvent, notifyEvent, startOf } from './events.ts'
import { readMessages, type SentMessage } from './read-messages.ts'
import { readToken } from './token.ts'

const firstPauseMilliseconds = 1_000
const longestPauseMilliseconds = 30_000
const silentMilliseconds = 45_000
/** How soon a new sign-in is noticed, here or in another tab. */
const tokenMilliseconds = 1_000

/**
 * What the leader tells the other tabs. `isComplete`: no event was missed since the last message; `lastId`: the last one.
 * A leader that was opened before the console was updated sends no ids.
 */
type Shared =
  | { isLive: boolean; isComplete: boolean; lastId?: string | null }
  | { event: LiveEvent; id?: string | null }

/** Asks the leader whether it is live. */
const question = 'is-live'

/** Where the events of a token go on. */
interface Position {
  token: string | null
  lastId: string | null
}

/** Follows the events while the tab is visible and an operator is signed in. A new token starts a new position. */
export function followEvents(over: AbortSignal): void {
  const position: Position = { token: null, lastId: null }
  let joined: { token: string | null; leaving: AbortController } | null = null
  const update = () => {
    const token = over.aborted || document.hidden ? null : readToken()
    if (joined?.token === token) return
    joined?.leaving.abort()
    eventsAreLive.set(false)
    joined = { token, leaving: new AbortController() }
    if (token === null) return
    if (position.token !== token) Object.assign(position, { token, lastId: startOf(token) })
    takePart(position, token, joined.leaving.signal)
  }
  document.addEventListener('visibilitychange', update)
  const timer = setInterval(update, tokenMilliseconds)
  update()
  over.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', update)
    clearInterval(timer)
    update()
  })
}

/** Receives the leader's messages, and leads when the lock is free. */
function takePart(position: Position, token: string, leaving: AbortSignal): void {
  // The start of a random token tells sessions apart without telling the token.
  const name = `roomkeeper.events.${token.slice(0, 8)}`
  const channel = new BroadcastChannel(name)
  let leads = false
  let isLive = false
  let hasBeenLive = false
  const receive = (message: Shared) => {
    if ('event' in message) {
      // What happens before this tab is live is covered by the reset below.
      if (!hasBeenLive) return
      position.lastId = message.id ?? null
      notifyEvent(message.event)
      return
    }
    isLive = message.isLive
    eventsAreLive.set(isLive)
    const isComplete = hasBeenLive || leads ? message.isComplete : isUpTo(message.lastId, position.lastId)
    hasBeenLive ||= isLive
    if (isLive && !isComplete) notifyEvent({ type: 'reset' })
  }
  const share = (message: Shared) => {
    if (leaving.aborted) return
    channel.postMessage(message)
    receive(message)
  }
  channel.onmessage = ({ data }: MessageEvent<Shared | typeof question>) => {
    if (data !== question) receive(data)
    else if (leads) channel.postMessage({ isLive, isComplete: true, lastId: position.lastId } satisfies Shared)
  }
  leaving.addEventListener('abort', () => channel.close())
  channel.postMessage(question)
  const lead = () => {
    leads = true
    return keepFollowing({ position, token, leaving, share })
  }
  if (navigator.locks === undefined) void lead()
  // Leaving before the lock is given is no failure.
  else navigator.locks.request(name, { signal: leaving }, lead).catch(() => undefined)
}

interface Leading {
  position: Position
  token: string
  leaving: AbortSignal
  share: (message: Shared) => void
}

/** Reads the stream, with growing pauses after failures. When the session has ended, it waits for the next token. */
async function keepFollowing(leading: Leading): Promise<void> {
  const { leaving, share } = leading
  let failures = 0
  while (!leaving.aborted) {
    let hasEnded = false
    try {
      await followOnce(leading, () => {
        failures = 0
      })
    } catch (error) {
      hasEnded = error instanceof ProblemError && error.problem.status === 401
    }
    share({ isLive: false, isComplete: false, lastId: null })
    const pause = Math.min(firstPauseMilliseconds * 2 ** failures++, longestPauseMilliseconds)
    await waitFor(hasEnded ? Number.POSITIVE_INFINITY : pause, leaving)
  }
}

async function followOnce({ position, token, leaving, share }: Leading, onConnected: () => void): Promise<void> {
  // The token has been replaced; within a second this tab leaves.
  if (readToken() !== token) return
  const silence = new AbortController()
  const resume: Record<string, string> = position.lastId === null ? {} : { 'last-event-id': position.lastId }
  const headers = { ...inBackground, ...resume }
  const response = await client.open('events', { headers, signal: AbortSignal.any([leaving, silence.signal]) })
  onConnected()
  share({ isLive: true, isComplete: position.lastId !== null, lastId: position.lastId })
  for await (const message of readMessages(endingWhenSilent(response.body, silence))) {
    const event = eventOf(message)
    if (event !== null) share({ event, id: message.id ?? position.lastId })
  }
}

/** Whether the leader has passed on nothing after the last event that this page knows. */
function isUpTo(leaders: string | null | undefined, own: string | null): boolean {
  if (leaders == null || own === null) return false
  const [[tx = 0n, id = 0n], [ownTx = 0n, ownId = 0n]] = [numbersIn(leaders), numbersIn(own)]
  return tx < ownTx || (tx === ownTx && id <= ownId)
}

/** An event's id is `<transaction>-<number>`. */
function numbersIn(eventId: string): bigint[] {
  return (eventId.match(/\d+/g) ?? []).map(BigInt)
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

/** Null for a kind of message that this console does not know. */
function eventOf({ event, data }: SentMessage): LiveEvent | null {
  if (event === 'reset') return { type: 'reset' }
  try {
    return serverEvent.safeParse(JSON.parse(data)).data ?? null
  } catch {
    return null
  }
}

/** Adds up to a third at random, so that many consoles do not reconnect at the same moment. */
function waitFor(milliseconds: number, over: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const hasEnd = Number.isFinite(milliseconds)
    const timer = hasEnd ? setTimeout(resolve, milliseconds * (1 + Math.random() / 3)) : undefined
    const stop = () => {
      clearTimeout(timer)
      resolve()
    }
    over.addEventListener('abort', stop)
    if (over.aborted) stop()
  })
}
