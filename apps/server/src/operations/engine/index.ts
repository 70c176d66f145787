/**
 * The engine: which worker runs which operation. There is no queue beside the record: an open operation that nobody has
 * claimed and that does not wait for slots (slots.ts) is in the queue for a worker (claims.ts). A worker keeps its
 * claims as long as its own row exists (lease.ts). Workers are woken by PostgreSQL's NOTIFY, and also poll regularly.
 * Nothing outside of this folder knows how it is done.
 */
export { type ClaimedOperation, findOrphaned } from './claims.ts'
export { type OperationSignals, startEngine } from './engine.ts'
export { enqueue } from './slots.ts'
export type { EngineTables, Failure } from './tables.ts'
