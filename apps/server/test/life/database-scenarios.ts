import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import type { Scenario } from './every-step-goes-wrong.ts'
import { wholeRoom, writeDocuments } from './room-life.ts'
import { adbPassword, documentsIn, regionOf, type World } from './world.ts'

export function databaseScenarios(world: World): Record<string, Scenario> {
  return { ...ofOneDatabase(world), ...ofSystemDatabases(world) }
}

function ofOneDatabase(world: World): Record<string, Scenario> {
  const { network, adb } = world
  const backUp = (projectRoomName: string) =>
    network().admin.call('backupDatabase', { body: { projectRoomName, databaseName: 'main' } })
  return {
    'database.backup': {
      prepare: () => network().newRoom(),
      start: backUp,
      expectDone: async (room) =>
        expect((await wholeRoom(network(), room)).row).toMatchObject({ state: 'DEFAULT', database_backups: 1 }),
    },
    'database.restore': {
      async prepare() {
        const room = await network().newRoom()
        await writeDocuments(network(), room, { first: { content: 1 } })
        await backUp(room)
        await network().settle()
        await writeDocuments(network(), room, { second: { content: 2 } })
        return room
      },
      start: (projectRoomName) =>
        network().admin.call('restoreDatabase', { body: { projectRoomName, databaseName: 'main' } }),
      expectDone: async (room) => expect(documentsIn(world, room)).toEqual({ first: { content: 1 } }),
    },
    'database.import': {
      prepare: () => network().newRoom(),
      async start(roomName) {
        const { fileName } = await network().upload('uploadDatabase', { name: 'extra.adb', content: adb() })
        const body = { dbName: 'extra', dbPassword: adbPassword, file: fileName, roomName }
        return network().admin.call('importDatabase', { body })
      },
      expectDone: async (room) => expect(documentsIn(world, room, 'extra')).toEqual({ one: { from: 'the backup' } }),
    },
    'database.delete': {
      prepare: () => network().newRoom(),
      start: (projectRoomName) =>
        network().admin.call('deleteDatabase', { body: { projectRoomName, databaseName: 'main' } }),
      expectDone: async (room) => expect((await wholeRoom(network(), room)).region?.databases).toEqual([]),
    },
  }
}

/** Uses a region without other rooms, because an update concerns all rooms of a region. */
function ofSystemDatabases(world: World): Record<string, Scenario> {
  const { network } = world
  const regionId = 3
  const expectVersion = async (room: string, version: number) =>
    expect((await regionOf(world, regionId).client.room(room))?.schemaVersion).toBe(version)
  const common = {
    async prepare() {
      await network().database.rows('delete from rooms where region_id = $1', [regionId])
      const room = await network().newRoom({ region: regionId })
      takeBack(`${regionOf(world, regionId).dataDir}/rooms/${room}/system.db`)
      return room
    },
    start: () => network().admin.call('updateSystemDatabasesOfRegion', { body: { regionId } }),
  }
  const expectDone: Scenario['expectDone'] = async (room, before) => {
    await expectVersion(room, 2)
    // The digest changes because the version is part of the content.
    const after = await wholeRoom(network(), room)
    expect(after).toEqual({ ...before, region: { ...before.region, digest: expect.any(String) } })
    expect(after.region?.digest).not.toBe(before.region?.digest)
  }
  // Updated rooms stay updated.
  const expectUpdated = (room: string) => expectVersion(room, 2)
  return {
    'room.update-system-database': { ...common, expectDone },
    'system-databases.update': {
      ...common,
      expectDone,
      expectFailed: expectUpdated,
      expectCancelled: expectUpdated,
    },
  }
}

/** Takes the database back to the version before the newest. */
function takeBack(path: string): void {
  const file = new DatabaseSync(path)
  file.exec('drop index sessions_by_token; drop index sessions_by_user; update schema_version set version = 1')
  file.close()
}
