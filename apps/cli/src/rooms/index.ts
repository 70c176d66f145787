/** `roomkeeper rooms`: project rooms, one by one and from files, and those that were deleted. */
import type { Command } from 'commander'
import { addApplyRooms } from './apply/apply-rooms.ts'
import { addBackupRoom } from './backup-room.ts'
import { addChangeState } from './change-state.ts'
import { addCreateRoom } from './create-room.ts'
import { addDeleteRoom } from './delete-room.ts'
import { addDeletedRooms } from './deleted/index.ts'
import { addEditRoom } from './edit-room.ts'
import { addExportRooms } from './export-rooms.ts'
import { addGetRoom } from './get-room.ts'
import { addListRooms } from './list-rooms.ts'
import { addRestoreRoom } from './restore-room.ts'

export function addRooms(program: Command): void {
  const rooms = program.command('rooms').alias('room').description('Project rooms')
  addListRooms(rooms)
  addGetRoom(rooms)
  addCreateRoom(rooms)
  addEditRoom(rooms)
  addApplyRooms(rooms)
  addChangeState(rooms, 'suspend')
  addChangeState(rooms, 'resume')
  addBackupRoom(rooms)
  addRestoreRoom(rooms)
  addDeleteRoom(rooms)
  addDeletedRooms(rooms)
  addExportRooms(rooms)
}
