/** Project rooms: what other features need of them. */
export { mayAct, type RoomAction, roomActions, whyNotAct } from './actions/room-actions.ts'
export { useActOnRoom } from './actions/use-room-actions.ts'
export { useFieldLabels } from './form/use-field-labels.ts'
export { useFieldTexts } from './form/use-field-texts.ts'
export { roomQueryOf } from './list/list-request.ts'
export { filtersIn, lastRoomsSearch, noteRoomsSearch, type RoomFilters } from './list/search.ts'
export { showView, viewsQuery } from './list/views/views.ts'
export { useRoomLabels } from './room-labels.tsx'
