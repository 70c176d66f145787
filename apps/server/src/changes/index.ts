/**
 * The one record of a change: `recordChange`, in the transaction of the change, writes the entry in the audit trail, the
 * events for open consoles, the events for webhooks and the e-mails that its kind leads to. Nothing else writes them. Start
 * at catalogue.ts, which lists the kinds.
 */
export { type ChangeKind, type Consequences, changeKinds } from './catalogue.ts'
export { changedFields, type FieldChange } from './changed-fields.ts'
export { type OutgoingMail, type StoredMail, whyMailFailed } from './mail-outbox.ts'
export {
  type AuditContext,
  type Change,
  type NamedRoom,
  recordChange,
  recordChangeOfRooms,
  recordedFor,
} from './record-change.ts'
export { type CausingOperation, insertClaimedDelivery, mostWebhooks, type OutgoingEvent } from './webhook-outbox.ts'
