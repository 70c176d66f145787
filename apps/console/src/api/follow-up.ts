/** Fetches again what has changed: calmly, in order, and until it has succeeded. */
import { ProblemError } from '@roomkeeper/contract'
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { type LiveEvent, useLiveEvents } from './events.ts'

const restMilliseconds = 1_000
const longestPauseMilliseconds = 30_000

/** May return how long to rest afterwards, in milliseconds; otherwise it is a second. */
type Work<Item> = (items: ReadonlySet<Item>) => Promise<unknown>

/**
 * Collects what has changed and hands it to `work`: one call at a time, with a rest after each (as long as the call
 * took, at least), so that a storm of changes is a few calls. If `work` fails, the same items are tried again after
 * growing pauses; a refusal is final.
 * @returns a function that notes an item, and one that ends it all
 */
export function createFollowUp<Item>(work: Work<Item>): [note: (item: Item) => void, stop: () => void] {
  const noted = new Set<Item>()
  let isBusy = false
  let isOver = false
  let failures = 0
  const run = async () => {
    if (isBusy || isOver || noted.size === 0) return
    isBusy = true
    const begin = performance.now()
    const items = new Set(noted)
    noted.clear()
    let rest: unknown
    try {
      rest = await work(items)
      failures = 0
    } catch (error) {
      if (!isFinal(error)) for (const item of items) noted.add(item)
      rest = Math.min(restMilliseconds * 2 ** failures++, longestPauseMilliseconds)
    }
    const pause = Math.max(typeof rest === 'number' ? rest : restMilliseconds, performance.now() - begin)
    setTimeout(() => {
      isBusy = false
      void run()
    }, pause)
  }
  const note = (item: Item) => {
    noted.add(item)
    void run()
  }
  const stop = () => {
    noted.clear()
    isOver = true
  }
  return [note, stop]
}

function isFinal(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.status < 500 && error.problem.status !== 429
}

/** A follow-up while the component is mounted. @returns a stable function that notes an item */
export function useFollowUp<Item>(work: Work<Item>): (item: Item) => void {
  const latest = useEffectEvent(work)
  const noteNow = useRef<(item: Item) => void>(undefined)
  useEffect(() => {
    const [note, stop] = createFollowUp<Item>((items) => latest(items))
    noteNow.current = note
    return stop
  }, [])
  return useCallback((item) => noteNow.current?.(item), [])
}

/** Fetches queries again when an event concerns them, or when events may have been missed. */
export function useRefetchOnEvents(
  queryKey: QueryKey,
  concerns: (event: LiveEvent) => boolean,
  rest = restMilliseconds,
): void {
  const queryClient = useQueryClient()
  const note = useFollowUp(async () => {
    await queryClient.invalidateQueries({ queryKey }, { throwOnError: true })
    return rest
  })
  useLiveEvents((event) => {
    if (event.type === 'reset' || concerns(event)) note('it')
  })
}

/**
 * Fetches outside of the query's own fetches and puts the answer into the query's data.
 * @throws if the query itself fetched meanwhile, because either answer may be the newer one: fetch again
 */
export async function fetchInto<Data, Answer>(
  queryClient: QueryClient,
  queryKey: QueryKey,
  fetch: () => Promise<Answer>,
  merge: (data: Data | undefined, answer: Answer) => Data | undefined,
): Promise<Answer> {
  const updates = () => queryClient.getQueryState(queryKey)?.dataUpdateCount
  const before = updates()
  const answer = await fetch()
  const isOvertaken = updates() !== before || queryClient.isFetching({ queryKey, exact: true }) > 0
  if (isOvertaken) throw new Error('The query was fetched meanwhile.')
  queryClient.setQueryData<Data>(queryKey, (data) => merge(data, answer))
  return answer
}
