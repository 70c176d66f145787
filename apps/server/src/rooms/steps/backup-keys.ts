/**
 * The keys under which the attempts of a backup store their files. Each attempt has its own, so that late writes of an
 * undone attempt cannot change the backup that a retry has made.
 */
import { ofAttempts } from './of-attempts.ts'
import type { RoomCall } from './room-call.ts'

/** The key of this attempt, followed by the keys of all earlier attempts. */
export type BackupKeys<Input> = (call: RoomCall<Input>) => readonly [string, ...string[]]

/** @param first the key of the first attempt */
export function keyPerAttempt<Input>(first: (call: RoomCall<Input>) => string): BackupKeys<Input> {
  return (call) => keysUntilAttempt(first(call), call.attempt)
}

/** @returns the key of the attempt, followed by those of all earlier ones */
export function keysUntilAttempt(first: string, attempt: number): [string, ...string[]] {
  return ofAttempts(attempt, (number) => (number === 1 ? first : numbered(first, number)))
}

/** Inserts the number before the extension. */
function numbered(key: string, attempt: number): string {
  return key.replace(/(\.\w+)?$/, `-${attempt}$1`)
}
