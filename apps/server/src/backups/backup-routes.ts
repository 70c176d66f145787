/** The calls about backups of rooms. */
import { routes } from '@roomkeeper/contract'
import { recordChange } from '#changes/index.ts'
import { type Database, type Db, queryRows } from '#platform/database.ts'
import { type Handlers, noContent, ok } from '#platform/http/handler.ts'
import { refuse } from '#platform/refuse.ts'
import { whileRemoving } from './backup-uses.ts'
import { createTicket, fileOf, redeemTicket, sendBackup } from './download-backup.ts'
import { findBackup, listBackups, type RoomBackupRow } from './find-backup.ts'
import { inspectObject, inspectStored } from './read-backup-file.ts'
import { type BackupStores, removeBackupFile } from './remove-backup.ts'
import { findRemovedDatabase, listRemovedBackups, type RemovedDatabaseBackup } from './removed-rooms.ts'

type BackupHandlers = Pick<
  Handlers,
  | 'roomBackups'
  | 'removedRoomBackups'
  | 'inspectRoomBackup'
  | 'roomBackupContent'
  | 'deleteRoomBackup'
  | 'createBackupTicket'
  | 'downloadBackup'
  | 'inspectObjectStoreBackup'
>

export function backupHandlers(database: Database, stores: BackupStores): BackupHandlers {
  const { db } = database
  return {
    roomBackups: async ({ query }) => ok(await listBackups(db, query.projectRoom)),
    removedRoomBackups: async ({ query }) => ok(await listRemovedBackups(db, query)),
    inspectRoomBackup: async ({ params }) => ok(await inspectStored(stores, await findBackup(db, params.id))),
    async roomBackupContent({ params, caller, header, requestId }) {
      const backup = await findBackup(db, params.id)
      const answer = await sendBackup(db, stores.files, backup, header, caller.actor)
      const part = answer.headers?.['content-range']
      const entry = auditOf('download', backup, caller.actor, requestId)
      const detail = part === undefined ? entry.detail : `${entry.detail}, ${part}`
      await recordChange(db, { ...entry, detail }).catch((error: unknown) => {
        answer.stream.destroy()
        throw error
      })
      return answer
    },
    async deleteRoomBackup({ params, caller, requestId }) {
      const removed = await findRemovedDatabase(db, params.id)
      const backup = removed === null ? await findBackup(db, params.id) : asRoomBackup(removed)
      await refuseOfDeletedRoom(db, backup)
      const remove = async () => {
        await removeBackupFile(stores, backup)
        await database.transaction(async (tx) => {
          const table = removed === null ? 'room_backups' : 'database_backups'
          const gone = await queryRows(tx, `delete from ${table} where id = $1 returning 1`, [backup.id])
          if (gone.length > 0) await recordChange(tx, auditOf('delete', backup, caller.actor, requestId))
        })
      }
      await whileRemoving(db, backup.id, remove, caller.actor)
      return noContent
    },
    async createBackupTicket({ params, caller, requestId }) {
      const ticket = await database.transaction(async (tx) => {
        const backup = fileOf(await findBackup(tx, params.id))
        await recordChange(tx, auditOf('ticket', backup, caller.actor, requestId))
        return createTicket(tx, backup.id, caller.tokenHash)
      })
      return ok({ url: routes.downloadBackup.path.replace(':ticket', ticket) })
    },
    async downloadBackup({ params, header, address }) {
      const { backupId, caller } = await redeemTicket(db, params.ticket, address)
      const answer = await sendBackup(db, stores.files, await findBackup(db, backupId), header, caller.actor)
      return { ...answer, caller }
    },
    inspectObjectStoreBackup: async ({ body }) => ok(await inspectObject(stores.objectStore.locationOf(body))),
  }
}

/** The room may come back from it, or is about to go with it as its last one. @throws Refusal `backup-of-deleted-room` */
async function refuseOfDeletedRoom(db: Db, { roomId, roomName: room }: AuditedBackup): Promise<void> {
  const deleted = await queryRows(
    db,
    `select 1 from deleted_rooms where room_id = $1
      union all select 1 from rooms where id = $1 and state = 'MARKED_FOR_DELETION'`,
    [roomId],
  )
  if (deleted.length > 0) throw refuse('backup-of-deleted-room', { room })
}

type AuditedBackup = Pick<RoomBackupRow, 'id' | 'roomId' | 'roomName' | 'kind' | 'location' | 'sha256'>

/** Database backups lie in the same store as classic backups of rooms. */
function asRoomBackup({ storeKey: location, ...backup }: RemovedDatabaseBackup): AuditedBackup {
  return { ...backup, kind: 'classic', location }
}

function auditOf(what: 'download' | 'delete' | 'ticket', backup: AuditedBackup, actor: string, requestId: string) {
  const room = { id: backup.roomId, name: backup.roomName }
  return {
    actor,
    kind: `backup.${what}` as const,
    room,
    detail: `${backup.location}, SHA-256 ${backup.sha256}`,
    requestId,
  }
}
