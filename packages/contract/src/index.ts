/**
 * The wire between the console, other tools and the server: one route table, its schemas and codes.
 * Start at routes.ts. Everything here is pure; only zod is imported.
 */
export * from './audit.ts'
export * from './backups.ts'
export * from './client.ts'
export * from './databases.ts'
export * from './events.ts'
export * from './licences.ts'
export * from './lists.ts'
export * from './object-store-regions.ts'
export * from './operations.ts'
export * from './problem.ts'
export * from './regions.ts'
export * from './room-changes.ts'
export * from './room-fields.ts'
export * from './rooms.ts'
export * from './route.ts'
export * from './routes.ts'
export * from './session.ts'
export * from './uploads.ts'
export * from './wire-codes.ts'
