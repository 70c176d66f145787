/** Views of the list of rooms: search, filters, order and columns that an operator has saved, and may share. */
export { viewHandlers } from './view-routes.ts'
