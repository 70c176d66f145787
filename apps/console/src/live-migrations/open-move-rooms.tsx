/** Moves rooms from wherever they are selected. The dialog is loaded when it is opened. */
import { openDialog } from '#ui/dialog/open-dialogs.ts'
import { onDemand } from '#ui/on-demand.tsx'
import type { RoomToMove } from './MoveRoomsDialog.tsx'

const MoveRoomsDialog = onDemand(async () => ({ default: (await import('./MoveRoomsDialog.tsx')).MoveRoomsDialog }))

/** For administrators only. Asks where the rooms are to go, shows what would happen to each, and starts the moves. */
export function openMoveRooms({ rooms }: { rooms: readonly RoomToMove[] }): void {
  openDialog(<MoveRoomsDialog rooms={rooms} />)
}
