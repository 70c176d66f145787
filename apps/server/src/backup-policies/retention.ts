/** Which of a room's backups a policy keeps: pure, and without a clock, so nothing is removed for age alone. */
import type { BackupRetention, BackupSchedule } from '@roomkeeper/contract'
import { rhythmOf, windowStart } from './due-times.ts'

interface DatedBackup {
  id: string
  createdAt: string
}

/** The newest backup of each of the last days, ISO weeks and months, in UTC, that have one. @returns their ids */
export function keptBackups(backups: readonly DatedBackup[], keep: BackupRetention): Set<string> {
  const newestFirst = backups.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
  const kept = new Set<string>()
  for (const [count, spanOf] of [
    [keep.daily, dayOf],
    [keep.weekly, isoWeekOf],
    [keep.monthly, monthOf],
  ] as const) {
    const spans = new Set<string | number>()
    for (const { id, createdAt } of newestFirst) {
      if (spans.size === count) break
      const span = spanOf(createdAt)
      if (!spans.has(span)) kept.add(id)
      spans.add(span)
    }
  }
  return kept
}

/** How many backups a room has when the policy has been at work long enough. */
export function backupsWhenFull(schedule: BackupSchedule, keep: BackupRetention, now: Date): number {
  const rhythm = rhythmOf(schedule)
  const farthest = Math.max(
    keep.daily * Math.max(rhythm.period / dayMilliseconds, 1),
    keep.weekly * 7,
    keep.monthly * 31,
  )
  const until = now.getTime() - (farthest + 31) * dayMilliseconds
  const backups: DatedBackup[] = []
  for (let at = windowStart(rhythm, now).getTime(); at > until; at -= rhythm.period)
    backups.push({ id: String(at), createdAt: new Date(at).toISOString() })
  return keptBackups(backups, keep).size
}

const dayMilliseconds = 86_400_000
const dayOf = (at: string) => at.slice(0, 10)
const monthOf = (at: string) => at.slice(0, 7)
/** Weeks begin on Monday, the fifth day of the epoch. */
const isoWeekOf = (at: string) => Math.floor((Date.parse(dayOf(at)) / dayMilliseconds - 4) / 7)
