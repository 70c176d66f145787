/**
 * An open region: its data folder, recovered and indexed, and the services that all features share.
 *
 * Three invariants: a room's folder appears, moves and disappears by rename; a room is changed only under its mutex, so
 * its changes happen one after another; room.json and SQLite commits are on disk before an answer is sent.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Reserve } from '#disk/reserve.ts'
import type { Fence, Fences } from '#fences.ts'
import type { KeyedMutex } from '#keyed-mutex.ts'
import type { KeptContent } from '#rooms/kept-record.ts'
import type { RoomFolders } from '#rooms/room-folders.ts'
import type { RoomIndex } from '#rooms/room-index.ts'
import type { RegionSettings } from '#settings.ts'
import type { DatabaseHandles } from '#sqlite/database-handles.ts'

export interface Region {
  settings: RegionSettings
  /** The region's UUID, made once and kept with its data. */
  instanceId: string
  /** region.db */
  database: DatabaseSync
  folders: RoomFolders
  handles: DatabaseHandles
  index: RoomIndex
  roomMutex: KeyedMutex
  fences: Fences
  /** Disk space that is kept for deletions. */
  reserve: Reserve
  /** Damaged rooms by name, with the reason. */
  damaged: Map<string, string>
  /** The paths of swaps that could not be cleared, with the names of their rooms: see swaps.ts. */
  remainingSwaps: Map<string, string>
  /** What rooms held before, by the folder that it is in: see kept-content.ts. */
  kept: Map<string, KeptContent>
}

/** Changes a room under its mutex. @throws {Refusal} 'overtaken' */
export function runExclusively<T>(
  region: Region,
  room: string,
  fence: Fence | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return region.roomMutex.runExclusive(room, async () => {
    region.fences.admit(fence)
    return work()
  })
}
