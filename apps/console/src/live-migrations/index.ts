/** Configurations that move rooms between regions, their runs, and their state entries. */
export { LiveMigrationTab } from './LiveMigrationTab.tsx'
export { useLiveMigrations } from './queries.ts'
