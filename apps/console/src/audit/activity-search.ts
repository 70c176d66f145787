/** The state of the activity screen in the URL, and the query that results from it. */
import type { ActivityGroup, ActivityQuery } from '@roomkeeper/contract'
import { flag, readSearch, type SearchOf, someOf, text } from '#ui/url-search.ts'

/** Here, because the contract is not loaded with addresses. */
export const groups = ['changes', 'sign-ins', 'system'] as const satisfies readonly ActivityGroup[]

/** If absent: changes, of everybody, from today back. */
const parameters = { kinds: someOf(groups), mine: flag, today: flag, room: text(64), customer: text(255) }
export type ActivitySearch = SearchOf<typeof parameters>

export const parseActivitySearch = (given: Record<string, unknown>): ActivitySearch => readSearch(parameters, given)

export function kindsOf({ kinds = 'changes' }: ActivitySearch) {
  return groups.filter((each) => kinds.split(',').includes(each))
}

/** @param email of the operator who reads it; @param today the day that the page calls today */
export function activityQueryOf(search: ActivitySearch, email: string, today: Date): Partial<ActivityQuery> {
  const { mine, today: isOnlyToday, room = '', customer = '' } = search
  return {
    kinds: kindsOf(search),
    room,
    customer,
    ...(mine === true ? { actor: email } : {}),
    ...(isOnlyToday === true ? { from: startOfDay(today).toISOString() } : {}),
  }
}

/** In the time zone of the browser. */
export function startOfDay(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate())
}

interface Day<Entry> {
  /** Its first moment. */
  day: Date
  entries: Entry[]
}

/** The entries by day, the newest first. Today is always among them. */
export function byDay<Entry extends { at: string }>(entries: readonly Entry[], now: Date): Day<Entry>[] {
  const days = new Map<number, Entry[]>([[startOfDay(now).getTime(), []]])
  for (const entry of entries) {
    const day = startOfDay(new Date(entry.at)).getTime()
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days].sort(([a], [b]) => b - a).map(([day, of]) => ({ day: new Date(day), entries: of }))
}
