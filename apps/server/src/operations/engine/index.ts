/**
 * The engine: which worker runs which operation. There is no queue beside the record: an open operation that nobody has
 * claimed and that does not wait for places is in line for a worker (claims.ts). A worker holds what it has claimed as
 * long as its own row stands (lease.ts). Workers are called by PostgreSQL's NOTIFY, and look by themselves now and then.
 * Nothing outside of this folder knows how it is done.
 */
export { type ClaimedOperation, findForsaken } from './claims.ts'
export { type Asked, startEngine } from './engine.ts'
export { standInLine } from './places.ts'
export type { EngineTables, Failure } from './tables.ts'
