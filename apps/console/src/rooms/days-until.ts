import { dayInUtc } from '@roomkeeper/rules'

const dayMilliseconds = 86_400_000

/** The days from today until a day such as `2026-03-31`, both in UTC; negative if it has passed. */
export function daysUntil(day: string): number {
  return (Date.parse(day) - Date.parse(dayInUtc(new Date()))) / dayMilliseconds
}
