/** The event stream of one console (server-sent events), which ends with the session or the API token. */
import { PassThrough } from 'node:stream'
import type { Role, Routes } from '@roomkeeper/contract'
import { isAdministrator } from '@roomkeeper/rules'
import { whoHasGone } from '#operators/index.ts'
import type { Database, Db } from '#platform/database.ts'
import {
  cursorIsExpired,
  type EventAtCursor,
  type EventCursor,
  eventsAfter,
  formatCursor,
  parseCursor,
} from '#platform/events.ts'
import type { Call, Caller, Handlers } from '#platform/http/handler.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { refuse } from '#platform/refuse.ts'
import type { EventHub } from './event-hub.ts'

/** A reader that is further behind is disconnected; it resumes from its last event. */
const mostBufferedBytes = 1024 * 1024

interface Feeding {
  database: Database
  hub: EventHub
  beat(read: ReadStream, over: AbortSignal): void
}

export function eventHandlers(database: Database, hub: EventHub, scheduler: Scheduler): Pick<Handlers, 'events'> {
  const takePlace = createStreamLimit()
  const feeding: Feeding = { database, hub, beat: createBeats(database.db, scheduler) }
  return {
    async events(call) {
      const stream = new PassThrough()
      const over = new AbortController()
      takePlace(call.caller, over.signal)
      stream.once('close', () => over.abort())
      void feed(feeding, call, stream, over.signal).catch(() => stream.destroy())
      return { status: 200, stream }
    },
  }
}

/**
 * Each stream keeps a connection and memory for as long as its reader likes. Generous: all tabs of a browser share one
 * stream, and one whose reader has vanished counts until that is noticed.
 */
export const mostStreams = { ofSessionOrToken: 20, ofOperator: 100, ofProcess: 2_000 }

type Reader = Pick<Caller, 'operatorId' | 'tokenHash'>

/** Limits the event streams of a process. @returns takes a place until the signal fires; it throws the Refusal `too-many-streams` */
export function createStreamLimit(): (reader: Reader, over: AbortSignal) => void {
  const taken = new Set<Reader>()
  return (reader, over) => {
    const ofOperator = [...taken].filter(({ operatorId }) => operatorId === reader.operatorId)
    const ofSessionOrToken = ofOperator.filter(({ tokenHash }) => tokenHash.equals(reader.tokenHash))
    const isFull =
      taken.size >= mostStreams.ofProcess ||
      ofOperator.length >= mostStreams.ofOperator ||
      ofSessionOrToken.length >= mostStreams.ofSessionOrToken
    if (isFull) throw refuse('too-many-streams')
    const place = { operatorId: reader.operatorId, tokenHash: reader.tokenHash }
    taken.add(place)
    over.addEventListener('abort', () => taken.delete(place), { once: true })
  }
}

/** @param over fires when the stream has closed */
async function feed(
  { database, hub, beat }: Feeding,
  call: Call<Routes['events']>,
  stream: PassThrough,
  over: AbortSignal,
): Promise<void> {
  const sender = createSender(stream, call.caller.role)
  const leaving = AbortSignal.any([call.signal, hub.closed])
  leaving.addEventListener('abort', () => stream.destroy(), { once: true })
  if (leaving.aborted) stream.destroy()
  // Live events wait here until all missed events have been sent.
  let waiting: EventAtCursor[] | null = []
  await hub.subscribe((events) => (waiting === null ? sender.send(events) : waiting.push(...events)), over)
  if (stream.destroyed) return
  beat({ stream, caller: call.caller, address: call.address }, over)
  stream.write(': connected\nretry: 1000\n\n')
  await sendMissed(database, sender, parseCursor(call.header('last-event-id') ?? ''), stream)
  sender.send(waiting)
  waiting = null
}

async function sendMissed(
  database: Database,
  sender: Sender,
  cursor: EventCursor | null,
  stream: PassThrough,
): Promise<void> {
  if (cursor === null) return
  if (await cursorIsExpired(database.db, cursor)) {
    stream.write('event: reset\ndata: {}\n\n')
    return
  }
  for (let from = cursor; ; ) {
    const { events } = await eventsAfter(database.db, from)
    const last = events.at(-1)
    if (last === undefined) return
    sender.send(events)
    from = last
  }
}

interface Sender {
  send(events: EventAtCursor[]): void
}

function createSender(stream: PassThrough, role: Role): Sender {
  let last: EventCursor = { tx: '0', id: 0 }
  return {
    send(events) {
      // They are in order, so that all are new once one is.
      const from = events.findIndex((event) => isAfter(event, last))
      if (from === -1) return
      const fresh = events.slice(from)
      last = fresh.at(-1) ?? last
      const told = fresh.filter(({ payload }) => payload.type !== 'migration' || isAdministrator(role))
      if (told.length > 0) stream.write(told.map(textOf).join(''))
      if (stream.writableLength > mostBufferedBytes) stream.destroy()
    },
  }
}

/** All streams of a process get the same objects, so that each text is made once. */
const texts = new WeakMap<EventAtCursor, string>()
function textOf(event: EventAtCursor): string {
  const known = texts.get(event)
  if (known !== undefined) return known
  const { payload } = event
  const text = `id: ${formatCursor(event)}\nevent: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`
  texts.set(event, text)
  return text
}

function isAfter(event: EventCursor, other: EventCursor): boolean {
  const [tx, otherTx] = [BigInt(event.tx), BigInt(other.tx)]
  return tx > otherTx || (tx === otherTx && event.id > other.id)
}

interface ReadStream {
  stream: PassThrough
  caller: Caller
  address: string
}

/**
 * Writes to all event streams of a process regularly, and ends those of callers who lost their access.
 * @returns a function that adds a stream until the signal fires
 */
function createBeats(db: Db, scheduler: Scheduler): (read: ReadStream, over: AbortSignal) => void {
  const streams = new Set<ReadStream>()
  scheduler.start({
    name: 'heartbeat of event streams',
    everySeconds: 15,
    scope: 'process',
    ignoresClock: true,
    async run() {
      if (streams.size === 0) return
      const asked = [...streams]
      const gone = await whoHasGone(db, asked).catch(() => new Set<ReadStream>())
      for (const read of asked) {
        if (!streams.has(read)) continue
        if (gone.has(read)) read.stream.end()
        else read.stream.write(': beat\n\n')
      }
    },
  })
  return (read, over) => {
    streams.add(read)
    over.addEventListener('abort', () => streams.delete(read), { once: true })
  }
}
