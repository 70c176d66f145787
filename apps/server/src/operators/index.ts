/**
 * Operators: the provider's staff. Sign-in, sessions, throttling, the first account, and the audit trail.
 * A session is waiting for its second factor, live, or over. Start at session-routes.ts.
 */
export { accountHandlers } from './account-routes.ts'
export { auditManaged, recordAudit } from './audit.ts'
export { makeFirstAdministrator } from './first-administrator.ts'
export { createIdentityProvider, type IdentityProvider } from './identity-provider.ts'
export { passwordHandlers } from './password-routes.ts'
export { roomHistory } from './room-history.ts'
export { secondFactorHandlers } from './second-factor-routes.ts'
export { createGate, sessionHandlers } from './session-routes.ts'
export { removeDeadSessions, sessionLives } from './sessions.ts'
export { removeOldFailures } from './sign-in-throttle.ts'
