/** Creates a room: builds it in a side folder, brings that to disk, and renames it. There is never half a room. */
import { join } from 'node:path'
import type { RoomInfo, roomCreation } from '@roomkeeper/region-protocol'
import type { z } from 'zod'
import { fillDocumentsDatabase } from '#databases/documents-database.ts'
import { discard } from '#disk/discard.ts'
import { moveDurably, syncTreeToDisk } from '#disk/durable.ts'
import { mkdir } from '#disk/files.ts'
import type { Fence } from '#fences.ts'
import { refuse } from '#refusals.ts'
import type { Region } from '#region.ts'
import { forgetRoute } from '#routes/room-routes.ts'
import { createDatabase } from '#sqlite/database-handles.ts'
import { refuseDamaged } from './find-room.ts'
import { databasesFolder, systemDatabaseFile } from './room-folders.ts'
import { describeRoom } from './room-info.ts'
import { creationFingerprint, newLock, type RoomRecord, writeNewRoomRecord } from './room-record.ts'
import { fillSystemDatabase } from './system-database.ts'
import { insertUsers } from './user-index.ts'
import { listUsers, type RoomUser } from './users.ts'

export type Creation = z.output<typeof roomCreation>

/** @throws {Refusal} 'room-exists', 'room-differs', 'product-not-served' */
export function createRoom(
  region: Region,
  name: string,
  creation: Creation,
  fence: Fence | undefined,
): Promise<RoomInfo> {
  return region.roomMutex.runExclusive(name, async () => {
    const record = recordOf(name, creation)
    const known = region.index.get(name)
    if (known === undefined) await addRoom(region, record, creation, fence)
    else {
      region.fences.admit(fence)
      if (known.roomId !== record.roomId) throw refuse('room-differs', { room: name })
      if (known.creation !== record.creation) throw refuse('room-exists', { room: name })
    }
    forgetRoute(region, name)
    return describeRoom(region, known ?? record)
  })
}

/** The fence is on disk before the room appears, and also when there will be no room. */
async function addRoom(
  region: Region,
  record: RoomRecord,
  creation: Creation,
  fence: Fence | undefined,
): Promise<void> {
  region.fences.refuseOvertaken(fence)
  try {
    refuseDamaged(region, record.name)
    if (!region.settings.products.includes(creation.product))
      throw refuse('product-not-served', { product: creation.product })
    region.reserve.refuseGrowth()
    await build(region, record, creation, fence)
  } catch (error) {
    region.fences.admit(fence)
    throw error
  }
  region.index.put(record)
}

const firstDatabase = 'main'

async function build(region: Region, record: RoomRecord, creation: Creation, fence: Fence | undefined): Promise<void> {
  const temporary = region.folders.sideFolder('new', record.name)
  try {
    await mkdir(join(temporary, databasesFolder), { recursive: true })
    const users: RoomUser[] = []
    createDatabase(join(temporary, systemDatabaseFile), (database) => {
      fillSystemDatabase(database, creation)
      users.push(...listUsers(database))
    })
    createDatabase(join(temporary, databasesFolder, `${firstDatabase}.db`), fillDocumentsDatabase)
    await writeNewRoomRecord(temporary, record)
    await syncTreeToDisk(temporary)
    // It may have been overtaken while it was built.
    region.fences.admitWith(fence, () => insertUsers(region, record.name, users))
    await moveDurably(temporary, region.folders.room(record.name))
  } catch (error) {
    await discard(temporary)
    throw error
  }
}

function recordOf(name: string, creation: Creation): RoomRecord {
  const { product, edition, state, lockHolder } = creation
  const roomId = creation.roomId.toLowerCase()
  return {
    format: 1,
    name,
    roomId,
    product,
    edition,
    createdAt: new Date().toISOString(),
    creation: creationFingerprint({ ...creation, roomId }),
    state,
    lock: lockHolder === undefined ? null : newLock(lockHolder),
  }
}
