/** PostgreSQL as a part of Roomkeeper: see README.md. Start reading at start.ts. */
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.ts'
export { upgradeEmbeddedPostgres } from './upgrade.ts'
