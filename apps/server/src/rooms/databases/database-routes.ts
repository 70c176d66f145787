/** The calls about the databases of a room. */
import { randomBytes } from 'node:crypto'
import { fieldError, type RoomDatabase } from '@roomkeeper/contract'
import { whyNotChangeDatabases } from '@roomkeeper/rules'
import { lockForReading, newestDatabaseBackup, newestDatabaseBackups } from '#backups/index.ts'
import { type Handlers, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { Secret, type SecretBox } from '#platform/secrets.ts'
import { askRegion, type ConnectRegion } from '#regions/index.ts'
import { takeUpload } from '#uploads/index.ts'
import { acceptForRoom, type RoomCore, unlessRepeated } from '../start-for-room.ts'
import { findRoomOnRegion } from '../stored-room.ts'
import { backupDatabase } from './backup-database.ts'
import { deleteDatabase } from './delete-database.ts'
import { importDatabase, whyNotImport } from './import-database.ts'
import { restoreDatabase } from './restore-database.ts'

type DatabaseHandlers = Pick<
  Handlers,
  'databases' | 'deleteDatabase' | 'backupDatabase' | 'restoreDatabase' | 'importDatabase'
>

export interface DatabaseParts {
  connectRegion: ConnectRegion
  secrets: SecretBox
}

export function databaseHandlers(core: RoomCore, { connectRegion, secrets }: DatabaseParts): DatabaseHandlers {
  const { db } = core.database
  const allOf = async (roomName: string, signal: AbortSignal) => {
    const room = await findRoomOnRegion(db, roomName)
    const region = await connectRegion(room.regionId, signal)
    return { room, databases: await askRegion(room.regionName, () => region.databases(room.name)) }
  }
  /** The name of the database in the region's spelling. */
  const nameOf = async (roomName: string, wanted: string, signal: AbortSignal) => {
    const { databases } = await allOf(roomName, signal)
    const found = databases.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
    if (found === undefined) throw refuse('database-unknown', { database: wanted })
    return found.name
  }
  const common = { whyNot: whyNotChangeDatabases, becomes: null } as const
  return {
    async databases({ query, signal }) {
      const { room, databases } = await allOf(query.projectRoom, signal)
      const backups = await newestDatabaseBackups(db, room.id)
      const backupAt = new Map(backups.map((each) => [each.databaseName.toLowerCase(), each.createdAt]))
      const rows = databases.map(
        ({ name, size, createdAt }): RoomDatabase => ({
          databaseName: name,
          size,
          createdAt,
          backupAt: backupAt.get(name.toLowerCase()) ?? null,
        }),
      )
      return ok(rows.sort((a, b) => a.databaseName.localeCompare(b.databaseName)))
    },
    async deleteDatabase(call) {
      const { projectRoomName: roomName, databaseName } = call.body
      const once = { route: 'deleteDatabase', request: call.body }
      return unlessRepeated(core, call, once, async () => {
        const database = await nameOf(roomName, databaseName, call.signal)
        const audit = { kind: 'database.delete' as const, detail: database }
        const start = { ...common, ...once, roomName, audit }
        return acceptForRoom(core, call, { ...start, kind: deleteDatabase, input: () => ({ database }) })
      })
    },
    async backupDatabase(call) {
      const { projectRoomName: roomName, databaseName } = call.body
      const once = { route: 'backupDatabase', request: call.body }
      return unlessRepeated(core, call, once, async () => {
        const database = await nameOf(roomName, databaseName, call.signal)
        const audit = { kind: 'database.backup' as const, detail: database }
        const password = secrets.seal(new Secret(randomBytes(32).toString('base64url')))
        const input = () => ({ database, sealed: { password } })
        return acceptForRoom(core, call, { ...common, ...once, roomName, audit, kind: backupDatabase, input })
      })
    },
    async restoreDatabase(call) {
      const { projectRoomName: roomName, databaseName } = call.body
      const audit = { kind: 'database.restore' as const, detail: databaseName }
      return acceptForRoom(core, call, {
        ...common,
        route: 'restoreDatabase',
        request: call.body,
        roomName,
        audit,
        kind: restoreDatabase,
        async input(tx, { row }) {
          const newest = await newestDatabaseBackup(tx, row.id, databaseName)
          if (newest === null) throw refuse('no-database-backup', { database: databaseName })
          await lockForReading(tx, newest.id)
          const { sealedPassword: password, id, storeKey, size, sha256 } = newest
          return { database: newest.databaseName, backup: { id, storeKey, size, sha256 }, sealed: { password } }
        },
      })
    },
    async importDatabase(call) {
      const { dbName: database, dbPassword, file: upload, roomName } = call.body
      const once = { route: 'importDatabase', request: call.body }
      return unlessRepeated(core, call, once, async () => {
        const { room, databases } = await allOf(roomName, call.signal)
        const present = databases.map((each) => each.name)
        const reason = whyNotImport(room, present, database)
        if (reason !== null) throw refuse(reason, {}, [fieldError('dbName', reason)])
        const password = secrets.seal(new Secret(dbPassword))
        return acceptForRoom(core, call, {
          ...common,
          ...once,
          roomName,
          audit: { kind: 'database.import', detail: database },
          kind: importDatabase,
          async input(tx) {
            await takeUpload(tx, { name: upload, kind: 'database', operatorId: call.caller.operatorId })
            return { database, upload, sealed: { password } }
          },
        })
      })
    },
  }
}
