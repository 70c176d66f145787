/** PostgreSQL as a part of an application: see README.md. Start reading at start.ts. */
export type { Application } from './application.ts'
export { type EmbeddedPostgresCode, EmbeddedPostgresError } from './errors.ts'
export type { Log } from './postmaster.ts'
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.ts'
export { type Upgraded, type UpgradeOptions, upgradeEmbeddedPostgres } from './upgrade/upgrade.ts'
