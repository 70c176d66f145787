/** Configurations that move rooms from one region to another, their runs, and what became of each room. */
export { LiveMigrationTab } from './LiveMigrationTab.tsx'
export { useLiveMigrations } from './queries.ts'
