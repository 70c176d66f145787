/** Project rooms: what other features need of them. */
export { useStateChange } from './edit/use-state-change.tsx'
export { useFieldLabels } from './form/use-field-labels.ts'
export { useFieldTexts } from './form/use-field-texts.ts'
export { useDeleteRoom } from './list/delete-room.tsx'
export { roomQueryOf } from './list/list-request.ts'
export { filtersIn, lastRoomsSearch, noteRoomsSearch, type RoomFilters } from './list/search.ts'
export { showView, viewsQuery } from './list/views/views.ts'
export { useRoomLabels } from './room-labels.tsx'
