/**
 * Which copies an operation has closed in order to remove them. It is recorded before the copy is suspended, for repeated
 * steps and for workers that take over: a copy that is kept in the end must not stay closed.
 */
import type { StepCall } from '#operations/index.ts'
import { queryRows } from '#platform/database.ts'

type ClosingCall = Pick<StepCall<unknown>, 'id' | 'transaction' | 'services'>

export async function recordClosing(call: ClosingCall, roomId: string): Promise<void> {
  const text = `update operations set input = input || jsonb_build_object($2::text, true) where id = $1`
  await call.transaction((tx) => queryRows(tx, text, [call.id, keyOf(roomId)]))
}

export async function forgetClosing(call: ClosingCall, roomId: string): Promise<void> {
  const text = `update operations set input = input - $2::text where id = $1`
  await call.transaction((tx) => queryRows(tx, text, [call.id, keyOf(roomId)]))
}

export async function isClosing({ id, services }: ClosingCall, roomId: string): Promise<boolean> {
  const text = `select from operations where id = $1 and input ? $2`
  return (await queryRows(services.db, text, [id, keyOf(roomId)])).length > 0
}

/** An operation may remove copies of several rooms. */
const keyOf = (roomId: string) => `closesCopyOf:${roomId}`
