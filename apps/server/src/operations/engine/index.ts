/**
 * The engine decides which worker runs which operation. There is no queue besides the records: an open operation that
 * has no worker and does not wait for slots is in the queue for a worker (queue.ts). A worker
 * keeps its claims as long as its own row exists (lease.ts). PostgreSQL's NOTIFY wakes workers, which also poll
 * regularly. Nothing outside this folder depends on how this is done.
 */
export { type OperationSignals, startEngine } from './engine.ts'
export { type ClaimedOperation, enqueue, type Failure, findOrphaned } from './queue.ts'
