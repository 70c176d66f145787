/**
 * Where the attempts of a backup keep their files: each under a key of its own. Late writes of an undone attempt do not
 * change the backup that a retry has made.
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

/** For operations that started in former versions. */
export function keyOfAllAttempts<Input>(key: (call: RoomCall<Input>) => string): BackupKeys<Input> {
  return (call) => [key(call)]
}

/** Before its extension. */
function numbered(key: string, attempt: number): string {
  return key.replace(/(\.\w+)?$/, `-${attempt}$1`)
}
