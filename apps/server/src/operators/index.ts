/**
 * Operators, the provider's staff: sign-in, second factor, sessions, API tokens, throttling, accounts, and the audit trail
 * with its seals. A session awaits its second factor, is live, or is over; an API token is active, expired or revoked.
 * Start at gate.ts and audit/seal-audit.ts.
 */
export { accountHandlers, type FirstAdministrator, makeFirstAdministrator } from './accounts.ts'
export {
  type Anchor,
  type AnchorPlace,
  acknowledgesSeal,
  anchorPlaces,
  type MissedAnchor,
  readMissed,
  UnreadableAnchor,
} from './audit/anchors.ts'
export { findActivity } from './audit/find-activity.ts'
export { auditHandlers, type EntryOfRoom, readEntries, readHistory } from './audit/read-audit.ts'
export { exportReader, type Reading } from './audit/record-export.ts'
export { sealAudit, startSealing } from './audit/seal-audit.ts'
export { verifyAudit } from './audit/verify-audit.ts'
export { digestOfJson, verifyCertificate } from './audit/verify-certificate.ts'
export { answerWithTicket, redeemTicket, removeOldTickets } from './download-tickets.ts'
export { createGate, type Gate } from './gate.ts'
export { createIdentityProvider, type IdentityProvider } from './identity-provider.ts'
export { requireLiveCaller, whoHasGone } from './live-caller.ts'
export { passwordHandlers } from './password-routes.ts'
export { removeDeadSessions } from './sessions.ts'
export { secondFactorHandlers, sessionHandlers } from './sign-in-routes.ts'
export { removeOldFailures } from './sign-in-throttle.ts'
export { type RefusedToken, refusedTokens } from './tokens/token-gate.ts'
export { removeOldTokens, tokenHandlers } from './tokens/token-routes.ts'
