import { dayInUtc } from '@roomkeeper/rules'
import { formatDay } from '#ui/day.ts'
import classes from './Expiry.module.css'
import type { RoomWords } from './room-words.tsx'

const soonDays = 30
const dayMilliseconds = 86_400_000

interface ExpiryProps {
  day: string | null
  words: RoomWords
}

/** The last day of a room, in UTC, and in words that it is near or over. */
export function Expiry({ day, words }: ExpiryProps) {
  if (day === null) return words.unlimited
  const days = (Date.parse(day) - Date.parse(dayInUtc(new Date()))) / dayMilliseconds
  if (days > soonDays) return formatDay(day)
  return (
    <span className={classes.expiry} data-over={days < 0 || undefined}>
      <span>{formatDay(day)}</span>{' '}
      <span className={classes.word}>{days < 0 ? words.expired : words.expiresIn(days)}</span>
    </span>
  )
}
