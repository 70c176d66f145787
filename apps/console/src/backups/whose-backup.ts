import type { RemovedRoomBackup, RoomBackup } from '@roomkeeper/contract'

export type AnyBackup = RoomBackup | RemovedRoomBackup

/** Null: the page that lists it is its project room's. */
export function whoseBackup(backup: AnyBackup): { room: string; region: string } | null {
  return 'projectRoomName' in backup ? { room: backup.projectRoomName, region: backup.regionName } : null
}
