/**
 * Where the attempts of a backup keep their files: each under a key of its own. What an undone attempt has sent to the
 * store, and what comes there only later, changes nothing of the backup that a retry has made.
 */
import type { RoomCall } from './room-call.ts'

/** Of this attempt, then of those before it. */
export type BackupKeys<Input> = (call: RoomCall<Input>) => readonly [string, ...string[]]

/** @param first the key of the first attempt */
export function keyPerAttempt<Input>(first: (call: RoomCall<Input>) => string): BackupKeys<Input> {
  return (call) => {
    const ofAttempt = (attempt: number) => (attempt === 1 ? first(call) : numbered(first(call), attempt))
    const before = Array.from({ length: call.attempt - 1 }, (_, index) => ofAttempt(index + 1))
    return [ofAttempt(call.attempt), ...before]
  }
}

/** As operations that began under former versions have it. */
export function keyOfAllAttempts<Input>(key: (call: RoomCall<Input>) => string): BackupKeys<Input> {
  return (call) => [key(call)]
}

/** Before its extension. */
function numbered(key: string, attempt: number): string {
  return key.replace(/(\.\w+)?$/, `-${attempt}$1`)
}
