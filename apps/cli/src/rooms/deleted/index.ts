/** `roomkeeper rooms deleted`: lists deleted project rooms, and restores or purges them. */
import type { Command } from 'commander'
import { addListDeletedRooms } from './list-deleted-rooms.ts'
import { addPurgeCertificate } from './purge-certificate.ts'
import { addPurgeDeletedRoom } from './purge-deleted-room.ts'
import { addRestoreDeletedRoom } from './restore-deleted-room.ts'

export function addDeletedRooms(rooms: Command): void {
  const deleted = rooms.command('deleted').description('Deleted project rooms: bring them back, or purge them')
  addListDeletedRooms(deleted)
  addRestoreDeletedRoom(deleted)
  addPurgeDeletedRoom(deleted)
  addPurgeCertificate(deleted)
}
