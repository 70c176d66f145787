/**
 * The engine decides which worker runs which operation. There is no queue besides the records: an open operation that
 * nobody has claimed and that does not wait for slots (slots.ts) is in the queue for a worker (claims.ts). A worker
 * keeps its claims as long as its own row exists (lease.ts). PostgreSQL's NOTIFY wakes workers, which also poll
 * regularly. Nothing outside this folder depends on how this is done.
 */
export { type ClaimedOperation, findOrphaned, notifyCancelled } from './claims.ts'
export { type OperationSignals, startEngine } from './engine.ts'
export { enqueue } from './slots.ts'
export type { EngineTables, Failure } from './tables.ts'
