/** Finds who makes a call, by the token in its header: that of a session, or an API token. */
import type { Caller } from '#platform/http/handler.ts'
import type { Scheduler } from '#platform/recurring.ts'
import { refuse } from '#platform/refuse.ts'
import { type RefusedChange, recordRefusedChange } from './audit/record-refused-change.ts'
import { createSessionFinder } from './sessions.ts'
import { createTokenGate, type TokenGateParts } from './tokens/token-gate.ts'
import { isMeantAsApiToken } from './tokens/token-text.ts'
import { createTransferWatch, type TransferWatch } from './watch-transfers.ts'

/** What is known of a call before its caller is. */
export interface IncomingCall {
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
