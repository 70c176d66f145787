import { dayInUtc } from '@roomkeeper/rules'
import { formatDay } from '#ui/day.ts'
import classes from './Expiry.module.css'
import type { RoomLabels } from './room-labels.tsx'

const soonDays = 30
const dayMilliseconds = 86_400_000

interface ExpiryProps {
  day: string | null
  labels: RoomLabels
}

/** The last day of a room, in UTC, and in words that it is near or over. */
export function Expiry({ day, labels }: ExpiryProps) {
  if (day === null) return labels.unlimited
  const days = (Date.parse(day) - Date.parse(dayInUtc(new Date()))) / dayMilliseconds
  if (days > soonDays) return formatDay(day)
  return (
    <span className={classes.expiry} data-over={days < 0 || undefined}>
      <span>{formatDay(day)}</span>{' '}
      <span className={classes.word}>{days < 0 ? labels.expired : labels.expiresIn(days)}</span>
    </span>
  )
}
