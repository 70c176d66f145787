/**
 * Every kind of operation on a room, made to go wrong at every step: killed, it goes on and takes effect once; made to
 * fail or cancelled, everything is put back.
 */
import { bootNetwork, type Network, roomDraft, uniqueRoomName } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, expect } from 'vitest'
import { everyStepGoesWrong, type Life } from './every-step-goes-wrong.ts'
import { wholeRoom, writeDocuments } from './room-life.ts'

let network: Network
/** A backup of a room with content, as its bytes. */
let backup: Uint8Array<ArrayBuffer>
/** An export of a database, and its password. */
let adb: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  network = await bootNetwork({ env: { WORKER_LEASE_SECONDS: '3' } })
  const room = await network.newRoom({ tenantName: 'origin' })
  await writeDocuments(network, room, { one: { from: 'the backup' } })
  const { client } = network.regions[0] as Network['regions'][number]
  backup = await contentOf(await client.runJob('backup', { type: 'backupRoom', room }))
  const exportJob = { type: 'backupDatabase', room, database: 'main', password: 'secret of the export' } as const
  adb = await contentOf(await client.runJob('export', exportJob))
})
afterAll(() => network?.stop())

const database = 'extra'

const lives: Life[] = [
  {
    kind: 'room.suspend',
    steps: 2,
    prepare: () => network.newRoom(),
    start: (roomName) => network.admin.call('suspendRoom', { body: { roomName } }),
    expectDone: async (room) => expect((await wholeRoom(network, room)).region?.state).toBe('suspended'),
  },
  {
    kind: 'room.resume',
    steps: 2,
    prepare: () => network.newSuspendedRoom(),
    start: (roomName) => network.admin.call('resumeRoom', { body: { roomName } }),
    expectDone: async (room) => expect((await wholeRoom(network, room)).region?.state).toBe('active'),
  },
  {
    kind: 'room.edit',
    steps: 1,
    prepare: () => network.newRoom({ licenses: { YABD: 1 } }),
    async start(room) {
      const { body } = await network.admin.call('room', { query: { projectRoom: room } })
      const licensesInformation = body.licensesInformation.map((each) =>
        each.licenseKey === 'YABD' ? { ...each, licenseAmount: 7 } : each,
      )
      const licenses = { ...body.licenses, YABD: 7 }
      const edit = { ...body, licenses, licensesInformation, sapNumberLast: `new of ${room}` }
      return network.admin.call('editRoom', { body: edit })
    },
    async expectDone(room) {
      const { row, region } = await wholeRoom(network, room)
      expect(row).toMatchObject({ state: 'DEFAULT', sap_number_last: `new of ${room}`, licences: { YABD: 7 } })
      expect(region?.licences.find((each) => each.licenseKey === 'YABD')?.licenseAmount).toBe(7)
    },
  },
  {
    kind: 'room.backup',
    steps: 4,
    prepare: () => network.newSuspendedRoom(),
    start: (projectRoomName) => network.admin.call('backupRoom', { query: { projectRoomName, isD2O: false } }),
    async expectDone(room, before) {
      const after = await wholeRoom(network, room)
      expect(after.row).toMatchObject({ state: 'SUSPENDED', backups: 1 })
      expect(after.region).toEqual(before.region)
    },
  },
  {
    kind: 'room.restore',
    steps: 5,
    async prepare() {
      const room = await network.newRoom()
      await writeDocuments(network, room, { old: { content: 'of before' } })
      await network.admin.call('suspendRoom', { body: { roomName: room } })
      return room
    },
    async start(tenantName) {
      const { tmpFileName } = await network.upload('uploadBackup', { name: 'backup.zip', content: backup })
      const projectRoom = { tenantName }
      return network.admin.call('restoreRoom', { body: { projectRoom, tmpFileName, confirmOtherRoom: true } })
    },
    async expectDone(room, before) {
      const after = await wholeRoom(network, room)
      expect(after.row).toMatchObject({ state: 'SUSPENDED' })
      expect(after.region?.state).toBe('suspended')
      expect(after.region?.digest).not.toBe(before.region?.digest)
      expect(await documents(room)).toEqual({ one: { from: 'the backup' } })
    },
  },
  {
    kind: 'room.import',
    steps: 7,
    keeps: true,
    prepare: async () => uniqueRoomName('imported'),
    async start(tenantName) {
      const { tmpFileName } = await network.upload('uploadImport', { name: 'backup.zip', content: backup })
      const projectRoom = roomDraft({ tenantName })
      return network.admin.call('importRoom', { body: { projectRoom, tmpFileName, productTmpFileName: null } })
    },
    async expectDone(room) {
      expect((await wholeRoom(network, room)).row).toMatchObject({ state: 'DEFAULT' })
      expect(await documents(room)).toEqual({ one: { from: 'the backup' } })
    },
  },
  {
    kind: 'room.delete',
    steps: 1,
    noReturnFrom: 0,
    keeps: true,
    prepare: () => network.newRoom(),
    start: (roomName) => network.admin.call('deleteRoom', { body: { roomName } }),
    expectDone: async (room) => expect(await wholeRoom(network, room)).toEqual({ row: null, region: null }),
  },
  {
    kind: 'database.backup',
    steps: 4,
    prepare: () => network.newRoom(),
    start: (projectRoomName) =>
      network.admin.call('backupDatabase', { body: { projectRoomName, databaseName: 'main' } }),
    expectDone: async (room) =>
      expect((await wholeRoom(network, room)).row).toMatchObject({ state: 'DEFAULT', database_backups: 1 }),
  },
  {
    kind: 'database.restore',
    steps: 2,
    noReturnFrom: 1,
    async prepare() {
      const room = await network.newRoom()
      await writeDocuments(network, room, { first: { content: 1 } })
      await network.admin.call('backupDatabase', { body: { projectRoomName: room, databaseName: 'main' } })
      await network.settle()
      await writeDocuments(network, room, { second: { content: 2 } })
      return room
    },
    start: (projectRoomName) =>
      network.admin.call('restoreDatabase', { body: { projectRoomName, databaseName: 'main' } }),
    expectDone: async (room) => expect(await documents(room)).toEqual({ first: { content: 1 } }),
  },
  {
    kind: 'database.import',
    steps: 3,
    prepare: () => network.newRoom(),
    async start(roomName) {
      const { fileName } = await network.upload('uploadDatabase', { name: 'extra.adb', content: adb })
      const body = { dbName: database, dbPassword: 'secret of the export', file: fileName, roomName }
      return network.admin.call('importDatabase', { body })
    },
    expectDone: async (room) => expect(await documents(room, database)).toEqual({ one: { from: 'the backup' } }),
  },
  {
    kind: 'database.delete',
    steps: 1,
    noReturnFrom: 0,
    prepare: () => network.newRoom(),
    start: (projectRoomName) =>
      network.admin.call('deleteDatabase', { body: { projectRoomName, databaseName: 'main' } }),
    expectDone: async (room) => expect((await wholeRoom(network, room)).region?.databases).toEqual([]),
  },
]

everyStepGoesWrong(() => network, lives)

async function contentOf({ file }: { file: string }): Promise<Uint8Array<ArrayBuffer>> {
  const { client } = network.regions[0] as Network['regions'][number]
  const chunks: Uint8Array[] = []
  for await (const chunk of (await client.getFile(file)).content) chunks.push(chunk as Uint8Array)
  return new Uint8Array(Buffer.concat(chunks))
}

/** The documents of a database, read from its file. */
async function documents(room: string, name = 'main'): Promise<Record<string, unknown>> {
  const { DatabaseSync } = await import('node:sqlite')
  const file = new DatabaseSync(`${network.dir}/region-1/rooms/${room}/databases/${name}.db`, { readOnly: true })
  try {
    const rows = file.prepare('select id, body from documents order by id').all() as { id: string; body: string }[]
    return Object.fromEntries(rows.map((row) => [row.id, JSON.parse(row.body)]))
  } finally {
    file.close()
  }
}
