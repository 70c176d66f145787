/**
 * When the session will end: 30 minutes after the last call, 12 hours after the sign-in. The times are kept in
 * local storage, because calls of one tab keep the session of all tabs alive.
 */
import { ownName } from '#api/cookies.ts'

const key = () => ownName('roomkeeper.session-times')
/**
 * The server records a call only if the last recorded call is 30 s old, so its 30 minutes may start that much earlier.
 */
const idleMilliseconds = (30 * 60 - 30) * 1000
const absoluteMilliseconds = 12 * 60 * 60 * 1000
const warnMilliseconds = 60_000

/** Milliseconds since 1970. */
interface SessionTimes {
  signedInAt: number
  lastCallAt: number
}

interface SessionEnd {
  /** Milliseconds since 1970. */
  at: number
  /** A call keeps an idle session alive, but not a session at its absolute limit. */
  reason: 'idle' | 'absolute'
}

export function noteSignIn(now = Date.now()): void {
  write({ signedInAt: now, lastCallAt: now })
}

export function noteCall(now = Date.now()): void {
  const { signedInAt } = read() ?? { signedInAt: now }
  write({ signedInAt, lastCallAt: now })
}

/** Since the last call of any tab; zero if unknown. */
export function secondsSinceCall(now = Date.now()): number {
  return (now - (read()?.lastCallAt ?? now)) / 1000
}

export function forgetTimes(): void {
  localStorage.removeItem(key())
}

/** When the session ends if no call is made; null if unknown. */
export function sessionEnd(): SessionEnd | null {
  const times = read()
  return times === null ? null : endOf(times)
}

/** The remaining time, once it is a minute or less. */
export interface LastMinute {
  reason: SessionEnd['reason']
  seconds: number
}

/** @returns null before and after the last minute */
export function lastMinute(): LastMinute | null {
  const end = sessionEnd()
  const left = end === null ? 0 : end.at - Date.now()
  if (end === null || left <= 0 || left > warnMilliseconds) return null
  return { reason: end.reason, seconds: Math.ceil(left / 1000) }
}

export function endOf({ signedInAt, lastCallAt }: SessionTimes): SessionEnd {
  const idle = lastCallAt + idleMilliseconds
  const absolute = signedInAt + absoluteMilliseconds
  return idle < absolute ? { at: idle, reason: 'idle' } : { at: absolute, reason: 'absolute' }
}

function write(times: SessionTimes): void {
  localStorage.setItem(key(), JSON.stringify(times))
}

function read(): SessionTimes | null {
  try {
    const found = JSON.parse(localStorage.getItem(key()) ?? 'null') as Partial<SessionTimes> | null
    if (typeof found?.signedInAt !== 'number' || typeof found.lastCallAt !== 'number') return null
    return { signedInAt: found.signedInAt, lastCallAt: found.lastCallAt }
  } catch {
    return null
  }
}
