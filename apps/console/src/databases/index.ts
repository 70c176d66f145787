/** The databases of a room. */
export { DatabasesPanel } from './DatabasesPanel.tsx'
export { databasesQuery } from './queries.ts'
