/**
 * When the rooms of a policy are due: pure functions of its schedule and of a clock. Each room has its own turn within
 * the window, by a hash of its id, so it is due at the same moment of each window.
 */
import { createHash } from 'node:crypto'
import type { BackupSchedule } from '@roomkeeper/contract'

const hour = 3_600_000
const day = 24 * hour
const week = 7 * day
/** The epoch was a Thursday, so this is the first Monday. */
const firstMonday = 4 * day

/** The windows of a schedule begin at `offset` and then at every multiple of `period`, in milliseconds since the epoch. */
export interface Rhythm {
  offset: number
  period: number
  length: number
}

export function rhythmOf(schedule: BackupSchedule): Rhythm {
  if (schedule.every === 'hours') return { offset: 0, period: schedule.hours * hour, length: schedule.hours * hour }
  const [hours = 0, minutes = 0] = schedule.at.split(':').map(Number)
  const offset = hours * hour + minutes * 60_000
  const length = schedule.windowHours * hour
  if (schedule.every === 'day') return { offset, period: day, length }
  return { offset: firstMonday + (schedule.weekday - 1) * day + offset, period: week, length }
}

/** When the window began that is open at `now`, or was the last one. */
export function windowStart({ offset, period }: Rhythm, now: Date): Date {
  return new Date(Math.floor((now.getTime() - offset) / period) * period + offset)
}

/** From 0 to 1, without 1. `turnSql` computes the same in the database. */
export function turnOf(roomId: string): number {
  return createHash('md5').update(roomId).digest().readUInt32BE(0) / 2 ** 32
}

/** The last moment up to `now` at which the room was due; whole seconds, so that every process writes the same. */
export function lastDue(schedule: BackupSchedule, roomId: string, now: Date): Date {
  const rhythm = rhythmOf(schedule)
  const turn = Math.floor((turnOf(roomId) * rhythm.length) / 1000) * 1000
  const inThisWindow = windowStart(rhythm, now).getTime() + turn
  return new Date(inThisWindow <= now.getTime() ? inThisWindow : inThisWindow - rhythm.period)
}
