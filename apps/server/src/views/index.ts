/** Views of the list of rooms: search, filters, order and columns that an operator has saved, and may share. */
export type { ViewTables } from './tables.ts'
export { viewHandlers } from './view-routes.ts'
