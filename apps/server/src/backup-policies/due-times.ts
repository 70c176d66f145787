/**
 * When the rooms of a policy are due: pure functions of its schedule and of a clock. Rooms are spread over the window by
 * a hash of their ids, so each is due at the same moment of each window.
 */
import { createHash } from 'node:crypto'
import type { BackupSchedule } from '@roomkeeper/contract'

const second = 1000
const hour = 3_600 * second
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

/** From 0 to 1, without 1: `spread_offset` of the database, divided by 2^32. */
export function spreadOffset(roomId: string): number {
  return createHash('md5').update(roomId).digest().readUInt32BE(0) / offsets
}
const offsets = 2 ** 32

/** The last moment up to `now` at which the room was due; whole seconds, so that every process writes the same. */
export function lastDue(schedule: BackupSchedule, roomId: string, now: Date): Date {
  const rhythm = rhythmOf(schedule)
  const offset = Math.floor((spreadOffset(roomId) * rhythm.length) / second) * second
  const inThisWindow = windowStart(rhythm, now).getTime() + offset
  return new Date(inThisWindow <= now.getTime() ? inThisWindow : inThisWindow - rhythm.period)
}

/** A part of a window. */
export interface Span {
  /** When the window began, and its length in seconds. */
  start: Date
  seconds: number
  /** The spread offsets of the rooms that are due in it: from `low`, below `high`. */
  low: number
  high: number
  /** Until then nothing more is due. */
  until: Date
}

/**
 * The part of a window that comes next after `since`, at most `most` seconds of it; it is empty between two windows. Only
 * the last period before `now` counts: in that each room is due once. Null: nothing has become due since.
 */
export function nextSpan(schedule: BackupSchedule, since: Date, now: Date, most: number): Span | null {
  const rhythm = rhythmOf(schedule)
  const after = Math.max(since.getTime(), now.getTime() - rhythm.period)
  const first = (Math.floor(after / second) + 1) * second
  if (first > now.getTime()) return null
  const start = windowStart(rhythm, new Date(first))
  const [begin, seconds] = [start.getTime(), rhythm.length / second]
  const isInWindow = first < begin + rhythm.length
  const ends = isInWindow ? [first + most * second, begin + rhythm.length] : [begin + rhythm.period]
  const until = Math.min(now.getTime(), ...ends.map((end) => end - second))
  const offsetAt = (at: number) => Math.ceil((((at - begin) / second) * offsets) / seconds)
  const high = isInWindow ? offsetAt((Math.floor(until / second) + 1) * second) : 0
  return { start, seconds, low: isInWindow ? offsetAt(first) : 0, high, until: new Date(until) }
}
