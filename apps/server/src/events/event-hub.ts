/** Reads new events once per process, when PostgreSQL notifies it, and passes them to every stream. */
import type { Database } from '#platform/database.ts'
import { currentCursor, type EventAtCursor, type EventCursor, eventsAfter } from '#platform/events.ts'
import type { Log } from '#platform/log.ts'
import { pause } from '#platform/pause.ts'

export type Subscriber = (events: EventAtCursor[]) => void

export interface EventHub {
  /** Once this resolves, the subscriber gets every event until `over` fires; `over` may also fire earlier. */
  subscribe(subscriber: Subscriber, over: AbortSignal): Promise<void>
  /** The number of current subscriptions. */
  subscriptions(): number
  /** Fires when no more events will come. */
  closed: AbortSignal
  close(): Promise<void>
}

/** Events are at most this late when a notification is lost with its connection. */
const pollMilliseconds = 5_000
const blockedMilliseconds = 50
/**
 * After events have been passed on, later ones are gathered for so long: a single change is told at once, while many
 * changes cost each stream twenty writes a second instead of one for each change.
 */
const gatheringMilliseconds = 50

export function createEventHub(database: Database, log: Log): EventHub {
  const subscribers = new Set<Subscriber>()
  const closing = new AbortController()
  let wake = new AbortController()
  let reading: Promise<void> | null = null
  let started: Promise<EventCursor> | null = null

  /** Reading starts with the first subscription and does not stop, so that no subscriber misses an event. */
  function start(): Promise<EventCursor> {
    const starting = currentCursor(database.db)
    starting.then(
      (cursor) => {
        reading ??= read(cursor)
      },
      () => {
        started = null
      },
    )
    return starting
  }

  async function read(cursor: EventCursor): Promise<void> {
    const listener = listen(database, log, () => wake.abort())
    while (!closing.signal.aborted) {
      wake = new AbortController()
      let more = false
      try {
        const batch = await eventsAfter(database.db, cursor)
        more = batch.more
        const last = batch.events.at(-1)
        if (last !== undefined) {
          cursor = { tx: last.tx, id: last.id }
          for (const subscriber of subscribers) subscriber(batch.events)
          if (!more) await pause(gatheringMilliseconds, closing.signal)
        }
      } catch (error) {
        log.warn({ err: error }, 'reading events failed')
      }
      await pause(more ? blockedMilliseconds : pollMilliseconds, AbortSignal.any([wake.signal, closing.signal]))
    }
    await listener.end()
  }

  return {
    subscriptions: () => subscribers.size,
    closed: closing.signal,
    async subscribe(subscriber, over) {
      if (over.aborted) return
      const leave = () => subscribers.delete(subscriber)
      // Subscribed before the start, which may wait for the database: the subscriber may end meanwhile.
      over.addEventListener('abort', leave, { once: true })
      subscribers.add(subscriber)
      try {
        started ??= start()
        await started
      } catch (error) {
        leave()
        throw error
      }
    },
    async close() {
      closing.abort()
      await reading
    },
  }
}

/** Waits for notifications on a connection of its own, and reconnects by itself. */
function listen(database: Database, log: Log, notified: () => void): { end(): Promise<void> } {
  const ending = new AbortController()
  const work = (async () => {
    while (!ending.signal.aborted) {
      try {
        const client = await database.openConnection({ name: 'roomkeeper events' })
        const lost = new Promise<void>((resolve) => {
          client.once('end', resolve)
          ending.signal.addEventListener('abort', () => resolve(), { once: true })
        })
        client.on('notification', notified)
        await client.query('listen roomkeeper_events')
        notified()
        if (!ending.signal.aborted) await lost
        await client.end()
      } catch (error) {
        log.warn({ err: error }, 'listening for events failed')
      }
      await pause(1000, ending.signal)
    }
  })()
  return {
    async end() {
      ending.abort()
      await work
    },
  }
}
