/** What can be done with a room. Apart from `rooms`, whose index would bring the icons to every page. */
export { RoomActionsButton } from './RoomActionsButton.tsx'
export { mayAct, type RoomAction, roomActions, whyNotAct } from './room-actions.ts'
export { useActOnRoom } from './use-room-actions.ts'
