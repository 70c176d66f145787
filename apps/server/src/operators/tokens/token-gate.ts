/** Admits calls with API tokens, or refuses them and makes the refusals visible to operators. */
import type { TokenRefusal } from '@roomkeeper/contract'
import type { Database } from '#platform/database.ts'
import type { Caller } from '#platform/http/handler.ts'
import type { Log } from '#platform/log.ts'
import { createCallLimit } from '#platform/rate-limit.ts'
import { refuse } from '#platform/refuse.ts'
import { hashToken } from '../sessions.ts'
import { callerWith, createTokenFinder, type KnownToken, refusalBecause, whyRefused } from './known-token.ts'
import { createLastUses, createRefusalRecords } from './token-records.ts'
import { isWellFormed } from './token-text.ts'
import { createGuessCounter } from './unknown-tokens.ts'

/** Why a call with what looks like an API token was refused. */
export const refusedTokens = ['mistyped', 'unknown', 'expired', 'revoked', 'network', 'too-busy'] as const
export type RefusedToken = (typeof refusedTokens)[number]

export interface TokenGateParts {
  database: Database
  log: Log
  /** The limit of one token in this process. */
  callsPerSecond: number
  noteRefused(why: RefusedToken): void
}

type Call = { address: string; requestId: string }

export interface TokenGate {
  /** @throws Refusal `token-refused`, `token-from-elsewhere`, `token-too-busy`, `too-many-attempts` */
  authenticate(text: string, call: Call): Promise<Caller>
  close(): Promise<void>
}

export function createTokenGate({ database, log, callsPerSecond, noteRefused }: TokenGateParts): TokenGate {
  const find = createTokenFinder(database)
  const refusals = createRefusalRecords(database, log)
  const lastUses = createLastUses(database.db, log)
  const takeCall = createCallLimit({ perSecond: callsPerSecond, burst: 2 * callsPerSecond })
  const countGuess = createGuessCounter()

  const refuseUnknown = (call: Call) => {
    noteRefused('unknown')
    const minutes = countGuess(call.address)
    if (minutes !== null) return refuse('too-many-attempts', { minutes })
    log.warn({ address: call.address, requestId: call.requestId }, 'an unknown API token was refused')
    return refuse('token-refused')
  }
  /**
   * Refused calls have a limit too, because each one is recorded. It is a separate one, so that they take nothing from
   * the calls of the token's owner.
   */
  const requireCalm = ({ id }: KnownToken, why: TokenRefusal | null) => {
    const seconds = takeCall(why === null ? id : `${id} refused`)
    if (seconds === null) return
    noteRefused('too-busy')
    throw refuse('token-too-busy', { most: callsPerSecond, seconds })
  }
  return {
    async authenticate(text, call) {
      if (!isWellFormed(text)) {
        noteRefused('mistyped')
        throw refuse('token-refused')
      }
      const token = await find(hashToken(text))
      if (token === undefined) throw refuseUnknown(call)
      const why = whyRefused(token, call.address)
      requireCalm(token, why)
      if (why !== null) {
        noteRefused(why)
        await refusals.record({ token, why, ...call })
        throw refusalBecause(why)
      }
      lastUses.note(token, call.address)
      return callerWith(token)
    },
    async close() {
      await Promise.all([lastUses.close(), refusals.close()])
    },
  }
}
