import { roomDraft, uniqueRoomName } from '@roomkeeper/dev-env'
import { expect } from 'vitest'
import type { Scenario } from './every-step-goes-wrong.ts'
import { sentForTests, wholeRoom, writeDocuments } from './room-life.ts'
import { documentsIn, type World } from './world.ts'

export function roomScenarios(world: World): Record<string, Scenario> {
  return { ...creations(world), ...changes(world), ...backups(world) }
}

function creations(world: World): Record<string, Scenario> {
  const { network, backup } = world
  const file = () => ({ name: 'backup.zip', content: backup() })
  const withContent = {
    prepare: async () => uniqueRoomName('imported'),
    async expectDone(room: string) {
      expect((await wholeRoom(network(), room)).row).toMatchObject({ state: 'DEFAULT' })
      expect(documentsIn(world, room)).toEqual({ one: { from: 'the backup' } })
    },
  }
  return {
    'room.create': {
      prepare: async () => uniqueRoomName('created'),
      start: (tenantName) => network().admin.call('createRoom', { body: roomDraft({ tenantName }) }),
      async expectDone(room) {
        const { row, region } = await wholeRoom(network(), room)
        expect([row?.state, region?.state]).toEqual(['DEFAULT', 'active'])
      },
    },
    'room.import': {
      ...withContent,
      async start(tenantName) {
        const { tmpFileName } = await network().upload('uploadImport', file())
        const projectRoom = roomDraft({ tenantName })
        return network().admin.call('importRoom', { body: { projectRoom, tmpFileName, productTmpFileName: null } })
      },
    },
    'room.create-from-backup': {
      ...withContent,
      async start(tenantName) {
        const { tmpFileName } = await network().upload('uploadBackup', file())
        return network().admin.call('createRoom', { body: { ...roomDraft({ tenantName }), tmpFileName } })
      },
    },
    'room.restore-new': {
      ...withContent,
      async start(tenantName) {
        const { tmpFileName } = await network().upload('uploadBackup', file())
        const projectRoom = roomDraft({ tenantName })
        return network().admin.call('restoreRoom', { body: { projectRoom, tmpFileName, confirmOtherRoom: true } })
      },
    },
  }
}

function changes({ network }: World): Record<string, Scenario> {
  return {
    'room.suspend': {
      prepare: () => network().newRoom(),
      start: (roomName) => network().admin.call('suspendRoom', { body: { roomName } }),
      expectDone: async (room) => expect((await wholeRoom(network(), room)).region?.state).toBe('suspended'),
    },
    'room.resume': {
      prepare: () => network().newSuspendedRoom(),
      start: (roomName) => network().admin.call('resumeRoom', { body: { roomName } }),
      expectDone: async (room) => expect((await wholeRoom(network(), room)).region?.state).toBe('active'),
    },
    'room.edit': {
      beginsAnew: true,
      prepare: () => network().newRoom({ licenses: { YABD: 1 } }),
      async start(room) {
        const { body } = await network().admin.call('room', { query: { projectRoom: room } })
        const licensesInformation = body.licensesInformation.map((each) =>
          each.licenseKey === 'YABD' ? { ...each, licenseAmount: 7 } : each,
        )
        const licenses = { ...body.licenses, YABD: 7 }
        const edit = { ...body, licenses, licensesInformation, sapNumberLast: `new of ${room}` }
        return network().admin.call('editRoom', { body: edit })
      },
      async expectDone(room) {
        const { row, region } = await wholeRoom(network(), room)
        expect(row).toMatchObject({ state: 'DEFAULT', sap_number_last: `new of ${room}`, licences: { YABD: 7 } })
        expect(region?.licences.find((each) => each.licenseKey === 'YABD')?.licenseAmount).toBe(7)
      },
    },
    'room.delete': {
      prepare: () => network().newRoom(),
      start: (roomName) => network().admin.call('deleteRoom', { body: { roomName } }),
      expectDone: async (room) => expect(await wholeRoom(network(), room)).toEqual({ row: null, region: null }),
    },
  }
}

function backups(world: World): Record<string, Scenario> {
  const { network, backup } = world
  const backUp = (projectRoomName: string, isD2O: boolean) =>
    network().admin.call('backupRoom', { query: { projectRoomName, isD2O } })
  const suspend = (roomName: string) => network().admin.call('suspendRoom', { body: { roomName } })
  const expectBackedUp: Scenario['expectDone'] = async (room, before) => {
    const after = await wholeRoom(network(), room)
    expect(after.row).toMatchObject({ state: 'SUSPENDED', backups: 1 })
    expect(after.region).toEqual(before.region)
  }
  const expectRestored: Scenario['expectDone'] = async (room, before) => {
    const after = await wholeRoom(network(), room)
    expect(after.row).toMatchObject({ state: 'SUSPENDED' })
    expect(after.region?.state).toBe('suspended')
    expect(after.region?.digest).not.toBe(before.region?.digest)
    expect(documentsIn(world, room)).toEqual({ one: { from: 'the backup' } })
  }
  return {
    'room.backup': {
      prepare: () => network().newSuspendedRoom(),
      start: (room) => backUp(room, false),
      expectDone: expectBackedUp,
    },
    'room.backup-d2o': {
      prepare: () => network().newSuspendedRoom(),
      start: (room) => backUp(room, true),
      expectDone: expectBackedUp,
    },
    'backup.verify': {
      async prepare() {
        const room = await network().newSuspendedRoom()
        await backUp(room, false)
        await network().settle()
        return room
      },
      async start(projectRoom) {
        const [newest] = (await network().admin.call('roomBackups', { query: { projectRoom } })).body
        return network().admin.call('verifyRoomBackup', { params: { id: newest?.id ?? '' } })
      },
      async expectDone(projectRoom, before) {
        expect(await wholeRoom(network(), projectRoom)).toEqual(before)
        const [newest] = (await network().admin.call('roomBackups', { query: { projectRoom } })).body
        expect(newest).toMatchObject({ verifiedAt: expect.any(String), isKnownBad: false })
        expect(await sentForTests(network())).toEqual([])
      },
    },
    'room.restore': {
      async prepare() {
        const room = await network().newRoom()
        await writeDocuments(network(), room, { old: { content: 'of before' } })
        await suspend(room)
        return room
      },
      async start(tenantName) {
        const { tmpFileName } = await network().upload('uploadBackup', { name: 'backup.zip', content: backup() })
        const projectRoom = { tenantName }
        return network().admin.call('restoreRoom', { body: { projectRoom, tmpFileName, confirmOtherRoom: true } })
      },
      expectDone: expectRestored,
    },
    'room.restore-d2o': {
      async prepare() {
        const room = await network().newRoom()
        await writeDocuments(network(), room, { one: { from: 'the backup' } })
        await suspend(room)
        await backUp(room, true)
        await network().settle()
        await network().admin.call('resumeRoom', { body: { roomName: room } })
        await writeDocuments(network(), room, { later: {} })
        await suspend(room)
        return room
      },
      async start(projectRoomName) {
        const [newest] = (await network().admin.call('roomBackups', { query: { projectRoom: projectRoomName } })).body
        const backupLocationPath = newest?.location ?? ''
        const body = { isD2O: true, backupLocationPath, projectRoomName, region: 'us-east-1' } as const
        return network().admin.call('restoreRoomFromObjectStore', { body })
      },
      expectDone: expectRestored,
    },
  }
}
