/**
 * Live events from the server, for any part of the page. `event-stream.ts` brings them; it is loaded after the page, so
 * that it does not delay the first rows.
 */
import type { ServerEvent } from '@roomkeeper/contract'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { createStore } from '#store.ts'

/** `reset`: events may have been missed, so everything shown should be refetched. */
export type LiveEvent = ServerEvent | { type: 'reset' }

const pollMilliseconds = 10_000

const listeners = new Set<(event: LiveEvent) => void>()
/** Whether events arrive now. Also to be set when the tab is hidden or shown. */
export const eventsAreLive = createStore(false)

/** Calls `listener` for every event while the component is mounted. */
export function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const latest = useEffectEvent(listener)
  useEffect(() => listenToEvents((event) => latest(event)), [])
}

/** The same outside of components. @returns a function that ends it */
export function listenToEvents(listener: (event: LiveEvent) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** How often a query should poll: never while events arrive, and never in a hidden tab. */
export function usePollInterval(): number | false {
  return useSyncExternalStore(eventsAreLive.subscribe, () => eventsAreLive.get() || document.hidden)
    ? false
    : pollMilliseconds
}

let start: { authorization: string; lastEventId: string | null } | null = null

/** Answers that a session begins with say where the events are before anything else is read; others do not. */
export function noteStart(authorization: string, lastEventId: string | null): void {
  const isKnown = start?.authorization === authorization && start.lastEventId !== null
  if (!isKnown) start = { authorization, lastEventId }
}

/** The last event before this page read anything. Null: not known, so that changes may have been missed. */
export function startOf(token: string): string | null {
  return start?.authorization === `Bearer ${token}` ? start.lastEventId : null
}

export function notifyEvent(event: LiveEvent): void {
  for (const listener of listeners) listener(event)
}
