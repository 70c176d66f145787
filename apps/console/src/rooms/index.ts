/** Project rooms: list, create, edit, import, restore, those that are deleted, and statistics. */
export { CreateRoomPage } from './create/CreateRoomPage.tsx'
export { DeletedRoomsPage } from './deleted/DeletedRoomsPage.tsx'
export { type DeletedSearch, parseDeletedSearch } from './deleted/deleted-search.ts'
export { EditRoomPage } from './edit/EditRoomPage.tsx'
export { type EditSearch, parseEditSearch } from './edit/search.ts'
export { useStateChange } from './edit/use-state-change.tsx'
export { useFieldLabels } from './form/use-field-labels.ts'
export { ImportPage } from './import/ImportPage.tsx'
export { listQueryOf } from './list/queries.ts'
export { RoomsPage } from './list/RoomsPage.tsx'
export {
  filtersIn,
  lastRoomsSearch,
  noteRoomsSearch,
  parseRoomsSearch,
  type RoomFilters,
  type RoomsSearch,
} from './list/search.ts'
export { useDeleteRoom } from './list/use-delete-room.ts'
export type { ChangeSearch } from './list/use-room-list.ts'
export { viewsQuery } from './list/views/use-views.ts'
export { showView } from './list/views/view-of-list.ts'
export { RestorePage } from './restore/RestorePage.tsx'
export { useRoomLabels } from './room-labels.tsx'
export { StatisticsPage } from './statistics/StatisticsPage.tsx'
export { parseStatisticsSearch, type StatisticsSearch } from './statistics/search.ts'
export type { ChangeStatistics } from './statistics/use-statistics.ts'
