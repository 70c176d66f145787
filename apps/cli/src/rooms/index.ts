/** `roomkeeper rooms`: project rooms, one by one, from files, and deleted ones. */
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { addApplyRooms } from './apply/apply-rooms.ts'
import { addCreateRoom } from './create-room.ts'
import { addDeletedRooms } from './deleted/index.ts'
import { addDuplicateRoom } from './duplicate-room.ts'
import { addEditRoom } from './edit-room.ts'
import { addRestoreRoom } from './restore-room.ts'
import { addBackupRoom, addChangeState, addDeleteRoom } from './room-actions.ts'
import { addRoomLabels } from './room-labels.ts'
import { addRoomNotes } from './room-notes.ts'
import { addExportRooms, addGetRoom, addListRooms } from './show-rooms.ts'

export function addRooms(program: Command, run: Run): void {
  const rooms = program.command('rooms').alias('room').description('Project rooms')
  addListRooms(rooms, run)
  addGetRoom(rooms, run)
  addCreateRoom(rooms, run)
  addDuplicateRoom(rooms, run)
  addEditRoom(rooms, run)
  addApplyRooms(rooms, run)
  addChangeState(rooms, run, 'suspend')
  addChangeState(rooms, run, 'resume')
  addBackupRoom(rooms, run)
  addRestoreRoom(rooms, run)
  addDeleteRoom(rooms, run)
  addDeletedRooms(rooms, run)
  addExportRooms(rooms, run)
  addRoomNotes(rooms, run)
  addRoomLabels(rooms, run)
}
