/** The audit trail, and the history of a room. */
export { AuditPage } from './AuditPage.tsx'
export { type AuditSearch, parseAuditSearch } from './audit-search.ts'
export { RoomHistory } from './RoomHistory.tsx'
