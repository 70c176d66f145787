/**
 * Operators, the provider's staff: sign-in, second factor, sessions, API tokens, throttling, accounts, and the audit trail
 * with its seals. A session awaits its second factor, is live, or is over; an API token is active, expired or revoked.
 * Start at gate.ts and audit/seal-audit.ts.
 */
export { accountHandlers } from './account-routes.ts'
export {
  type Anchor,
  type AnchorPlace,
  acknowledgesSeal,
  anchorPlaces,
  type MissedAnchor,
  readMissed,
  UnreadableAnchor,
} from './audit/anchors.ts'
export { auditHandlers } from './audit/audit-routes.ts'
export { digestOfJson } from './audit/digest-of-json.ts'
export { exportReader, type Reading } from './audit/record-export.ts'
export { roomHistory } from './audit/room-history.ts'
export { sealAudit, startSealing } from './audit/seal-audit.ts'
export { verifyAudit } from './audit/verify-audit.ts'
export { verifyCertificate } from './audit/verify-certificate.ts'
export { answerWithTicket, redeemTicket, removeOldTickets } from './download-tickets.ts'
export { type FirstAdministrator, makeFirstAdministrator } from './first-administrator.ts'
export { createGate, type Gate } from './gate.ts'
export { createIdentityProvider, type IdentityProvider } from './identity-provider.ts'
export { requireLiveCaller, whoHasGone } from './live-caller.ts'
export { passwordHandlers } from './password-routes.ts'
export { secondFactorHandlers } from './second-factor-routes.ts'
export { sessionHandlers } from './session-routes.ts'
export { removeDeadSessions } from './sessions.ts'
export { removeOldFailures } from './sign-in-throttle.ts'
export type { OperatorTables } from './tables.ts'
export { removeOldTokens } from './tokens/stored-token.ts'
export { type RefusedToken, refusedTokens } from './tokens/token-gate.ts'
export { tokenHandlers } from './tokens/token-routes.ts'
