/** Records changes that the caller's role does not allow: one an hour for each actor and call, and 20 an hour for each actor. */
import { because } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import type { Database } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { isWithinRateLimit, type RateLimit, takeFromRateLimit } from '#platform/rate-limit.ts'

export interface RefusedChange {
  caller: Caller
  /** Method and path of the contract, such as `POST /api/operator/delete`. */
  call: string
  requestId: string
}

const perCall: RateLimit = { what: 'change-refused-call', most: 1, withinSeconds: 3600 }
const perActor: RateLimit = { what: 'change-refused', most: 20, withinSeconds: 3600 }

export async function recordRefusedChange(
  database: Database,
  { caller, call, requestId }: RefusedChange,
): Promise<void> {
  const { actor, role } = caller
  const key = `${actor} ${call}`
  // First, because it leaves no row.
  if (!(await isWithinRateLimit(database.db, perCall, key))) return
  if (!(await isWithinRateLimit(database.db, perActor, actor))) return
  await database.transaction(async (tx) => {
    if (!(await takeFromRateLimit(tx, perActor, actor)) || !(await takeFromRateLimit(tx, perCall, key))) return
    const detail = because('audit-change-refused', { call, role })
    await recordChange(tx, { actor, kind: 'operator.refused', detail, requestId })
  })
}
