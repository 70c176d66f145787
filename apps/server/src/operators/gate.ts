/** Finds who makes a call, by the token in its header: that of a session, or an API token. */

import { because } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import type { Database, Db } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import { isWithinRateLimit, type RateLimit, takeFromRateLimit } from '#platform/rate-limit.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { refuse } from '#platform/refuse.ts'
import { whoLostAccess } from './live-caller.ts'
import { createSessionFinder } from './sessions.ts'
import { createTokenGate, type TokenGateParts } from './tokens/token-gate.ts'
import { isMeantAsApiToken } from './tokens/token-text.ts'

/** What is known of a call before its caller is. */
interface IncomingCall {
  /** Made without the operator, so that it does not keep a session alive. */
  background: boolean
  address: string
  requestId: string
}

export interface Gate {
  /** @throws Refusal `session-expired`, `token-refused`, `token-from-elsewhere`, `token-too-busy`, `too-many-attempts` */
  authenticate(token: string | null, call: IncomingCall): Promise<Caller>
  /** Records that the caller's role does not allow a change. Never throws. */
  noteRefusedChange(change: RefusedChange): Promise<void>
  /** Ends the transfer when its caller may not make it any more. */
  watch: TransferWatch
  close(): Promise<void>
}

export function createGate(parts: TokenGateParts & { scheduler: Scheduler }): Gate {
  const findSession = createSessionFinder(parts.database)
  const tokens = createTokenGate(parts)
  return {
    async authenticate(token, call) {
      if (token !== null && isMeantAsApiToken(token)) return tokens.authenticate(token, call)
      const caller = token === null ? null : await findSession(token, call)
      if (caller === null) throw refuse('session-expired')
      return caller
    },
    async noteRefusedChange(change) {
      await recordRefusedChange(parts.database, change).catch((error: unknown) =>
        parts.log.warn({ err: error }, 'a refused change could not be recorded'),
      )
    },
    watch: createTransferWatch(parts.database.db, parts.scheduler),
    close: tokens.close,
  }
}

interface Transfer {
  caller: Caller
  address: string
  end(): void
}

/** Takes a transfer in; what it returns takes it out again. */
type TransferWatch = (transfer: Transfer) => () => void

/**
 * Ends downloads and uploads of callers who may not make them any more: a large one can last for hours. A session that
 * is merely idle does not count: operators do nothing else during a long transfer.
 */
function createTransferWatch(db: Db, scheduler: Scheduler): TransferWatch {
  const underWay = new Set<Transfer>()
  scheduler.start({
    name: 'check of transfers',
    everySeconds: 15,
    scope: 'process',
    ignoresClock: true,
    async run() {
      if (underWay.size === 0) return
      for (const transfer of await whoLostAccess(db, [...underWay])) if (underWay.has(transfer)) transfer.end()
    },
  })
  return (transfer) => {
    underWay.add(transfer)
    return () => void underWay.delete(transfer)
  }
}

interface RefusedChange {
  caller: Caller
  /** Method and path of the contract, such as `POST /api/operator/delete`. */
  call: string
  requestId: string
}

const perCall: RateLimit = { what: 'change-refused-call', most: 1, withinSeconds: 3600 }
const perActor: RateLimit = { what: 'change-refused', most: 20, withinSeconds: 3600 }

/**
 * Records changes that the caller's role does not allow: one an hour for each actor and call, and 20 an hour for each
 * actor.
 */
async function recordRefusedChange(database: Database, { caller, call, requestId }: RefusedChange): Promise<void> {
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
