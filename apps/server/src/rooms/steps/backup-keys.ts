/**
 * The names of the files of a backup, by attempt. Each attempt has its own, so that late writes of an undone attempt
 * cannot change the backup that a retry has made.
 */
import type { RoomCall } from './room-call.ts'

/** The keys in a store: the one of this attempt, followed by the keys of all earlier attempts. */
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

/**
 * The names under which a restore in a test sends the backup to its region: one of its own for each attempt, so that
 * what an earlier one has left there is never taken for what the store holds. The backup's id is not among them, under
 * which it may be sent there to bring a deleted room back.
 */
export function filesOfTest({ id, attempt }: { id: string; attempt: number }): [string, ...string[]] {
  return ofAttempts(attempt, (number) => `verify-${id}-${number}`)
}

/** The name under which a restore sends a stored backup to its region. Several rooms may be restored from one at once. */
export function fileOfRestore({ id }: { id: string }): string {
  return `restore-${id}`
}

/** @returns what belongs to the attempt, followed by what belongs to each earlier one, the first attempt first */
function ofAttempts<T>(attempt: number, ofAttempt: (attempt: number) => T): [T, ...T[]] {
  return [ofAttempt(attempt), ...Array.from({ length: attempt - 1 }, (_, index) => ofAttempt(index + 1))]
}
