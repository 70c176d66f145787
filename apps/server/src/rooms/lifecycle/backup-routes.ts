/** The calls that back up a room and restore backups, and the backup that a policy asks for. */
import { fieldError, fieldErrorsOf, type RoomDraft, type RoomToRestore, roomDraft } from '@roomkeeper/contract'
import type { ObjectStoreLocation } from '@roomkeeper/region-protocol'
import { whyNotBackup, whyNotRestore } from '@roomkeeper/rules'
import { z } from 'zod'
import { findBackup, findRecordedAt, type ObjectStore } from '#backups/index.ts'
import { roomIsBusy } from '#operations/index.ts'
import { queryRows, type Tx } from '#platform/database.ts'
import { accepted, type Handlers } from '#platform/http/handler.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { Secret, type SecretBox } from '#platform/secrets.ts'
import { acceptForRoom, type RoomCore, startChange, unlessRepeated } from '../start-for-room.ts'
import { lockToRestore } from '../steps/lock-to-restore.ts'
import { findRoomId, type LockedRoom, lockRoom } from '../stored-room.ts'
import { checkProduct, startCreation, takeBackup } from './creation-routes.ts'
import { backupRoom, backupRunningRoom } from './operations/backup-room.ts'
import { backupRoomToObjectStore, backupRunningRoomToObjectStore } from './operations/backup-room-to-object-store.ts'
import { restoreNewRoom } from './operations/import-room.ts'
import { restoreRoom } from './operations/restore-room.ts'
import { restoreRoomFromObjectStore } from './operations/restore-room-from-object-store.ts'

export interface BackupParts {
  objectStore: ObjectStore
  secrets: SecretBox
}

type BackupHandlers = Pick<Handlers, 'backupRoom' | 'restoreRoom' | 'restoreRoomFromObjectStore'>

export function roomBackupHandlers(core: RoomCore, { objectStore, secrets }: BackupParts): BackupHandlers {
  return {
    async backupRoom(call) {
      const { projectRoomName, isD2O } = call.query
      const common = {
        route: 'backupRoom',
        request: call.query,
        roomName: projectRoomName,
        whyNot: whyNotBackup,
        becomes: 'IN_PROGRESS',
      } as const
      if (!isD2O) {
        return acceptForRoom(core, call, {
          ...common,
          kind: backupRoom,
          audit: { kind: 'room.backup' },
          input: () => ({}),
        })
      }
      const made = new Date().toISOString().replaceAll(':', '-')
      const key = `${projectRoomName}/${made}.zip`
      const audit = { kind: 'room.backup-d2o' as const }
      return unlessRepeated(core, call, common, async () => {
        // If no object store is configured, this refuses the request now instead of failing in the background.
        objectStore.configuredLocation(key)
        return acceptForRoom(core, call, { ...common, kind: backupRoomToObjectStore, audit, input: () => ({ key }) })
      })
    },
    async restoreRoom(call) {
      const { projectRoom, tmpFileName, backupId } = call.body
      if (backupId !== undefined) {
        if (tmpFileName !== undefined) throw refuseInput([fieldError('backupId', 'backup-besides-upload')])
        return unlessRepeated(core, call, { route: 'restoreRoom', request: call.body }, () =>
          startFromStored(core, call, backupId, { objectStore, secrets }),
        )
      }
      if (tmpFileName === undefined) throw refuseInput([fieldError('tmpFileName', 'upload-or-backup-missing')])
      const existingId = await findRoomId(core.database.db, projectRoom.tenantName)
      if (existingId === null) return accepted(await startInNewRoom(core, call, projectRoom, tmpFileName))
      return acceptForRoom(core, call, {
        ...intoRoom(call),
        kind: restoreRoom,
        audit: { kind: 'room.restore' },
        async input(tx, { row }) {
          const backup = await takeBackup(tx, call, tmpFileName, 'room')
          checkProduct(backup, row)
          if (backup.roomName !== row.name) requireConsent(call, backup.roomName)
          return { upload: tmpFileName }
        },
      })
    },
    async restoreRoomFromObjectStore(call) {
      const once = { route: 'restoreRoomFromObjectStore', request: call.body }
      return unlessRepeated(core, call, once, async () => {
        const target = objectStore.locationOf(call.body)
        const source = sealedSource(secrets, target)
        const location = `s3://${target.bucket}/${target.key}`
        return acceptForRoom(core, call, {
          ...once,
          roomName: call.body.projectRoomName,
          kind: restoreRoomFromObjectStore,
          whyNot: whyNotRestore,
          becomes: 'IN_PROGRESS',
          audit: { kind: 'room.restore-d2o', detail: location },
          async input(tx, { row }) {
            const backupId = await findRecordedAt(tx, location)
            // Of a backup that the console has no record of, the region compares the product.
            if (backupId !== null) checkProduct(await lockToRestore(tx, backupId), row)
            return { location, backupId, sealed: { source } }
          },
        })
      })
    },
  }
}

type RestoringCall = Parameters<Handlers['restoreRoom']>[0]

function intoRoom({ body }: RestoringCall) {
  return {
    route: 'restoreRoom',
    request: body,
    roomName: body.projectRoom.tenantName,
    whyNot: whyNotRestore,
    becomes: 'IN_PROGRESS',
  } as const
}

/** @throws Refusal `other-room` */
function requireConsent({ body }: RestoringCall, room: string): void {
  if (!body.confirmOtherRoom) throw refuse('other-room', { room })
}

/** Restores a backup that is stored already: the worker sends it to the region, or the region reads its object store. */
async function startFromStored(
  core: RoomCore,
  call: RestoringCall,
  backupId: string,
  { objectStore, secrets }: BackupParts,
) {
  const { kind, location: detail } = await findBackup(core.database.db, backupId)
  const lock = async (tx: Tx, { row }: LockedRoom) => {
    const backup = await lockToRestore(tx, backupId)
    checkProduct(backup, row)
    if (backup.roomId !== row.id) requireConsent(call, backup.roomName)
    return backup.roomId
  }
  if (kind === 'classic')
    return acceptForRoom(core, call, {
      ...intoRoom(call),
      kind: restoreRoom,
      audit: { kind: 'room.restore', detail },
      async input(tx, room) {
        return { backupId, backupRoomId: await lock(tx, room) }
      },
    })
  const source = sealedSource(secrets, objectStore.locationOfUri(detail))
  return acceptForRoom(core, call, {
    ...intoRoom(call),
    kind: restoreRoomFromObjectStore,
    audit: { kind: 'room.restore-d2o', detail },
    async input(tx, room) {
      await lock(tx, room)
      return { location: detail, backupId, sealed: { source } }
    },
  })
}

function sealedSource(secrets: SecretBox, location: ObjectStoreLocation) {
  return secrets.seal(new Secret(JSON.stringify(location)))
}

/** Restores into a room that does not exist yet. Creating it takes all its fields, so all must have been sent. */
function startInNewRoom(core: RoomCore, call: RestoringCall, sent: RoomToRestore, upload: string): Promise<string> {
  const draft = wholeDraft(sent)
  return startCreation(core, call, {
    route: 'restoreRoom',
    request: call.body,
    draft,
    kind: restoreNewRoom,
    asks: 'room.restore',
    async input(tx) {
      checkProduct(await takeBackup(tx, call, upload, 'room'), draft)
      return { upload, productUpload: null }
    },
  })
}

/** @throws Refusal `room-unknown` if only the name was sent, `invalid-input` if some fields are missing */
function wholeDraft(sent: RoomToRestore): RoomDraft {
  // Fields with a default are always present, so only these two tell whether more than the name was sent.
  if (sent.product === undefined && sent.region === undefined) throw refuse('room-unknown', { room: sent.tenantName })
  const read = z.safeDecode(roomDraft, z.encode(roomDraft.partial(), sent) as z.input<typeof roomDraft>)
  if (read.success) return read.data
  const errors = fieldErrorsOf(read.error)
  throw refuseInput(errors.map((each) => ({ ...each, field: `projectRoom.${each.field}` })))
}

interface ScheduledBackup {
  roomId: string
  kind: 'classic' | 'd2o'
  now: Date
}

/**
 * Starts the backup of a running room that a policy asks for, behind what operators wait for.
 * @returns the operation's id; null: the room is gone, not running, or busy now
 */
export async function startScheduledBackup(tx: Tx, { roomId, kind, now }: ScheduledBackup): Promise<string | null> {
  const [room] = await queryRows<{ name: string }>(tx, 'select name from rooms where id = $1 for update', [roomId])
  if (room === undefined) return null
  const locked = await lockRoom(tx, room.name)
  const { projectRoomState, regionState } = locked.situation
  if (projectRoomState !== 'DEFAULT' || regionState !== 'enabled') return null
  if (await roomIsBusy(tx, roomId)) return null
  const starter = { startedBy: 'system', requestId: null, background: true }
  // The operator's act is the change of the policy, which is in the audit trail. This one has its operation.
  const common = { whyNot: () => null, becomes: null, audit: null }
  if (kind === 'classic')
    return startChange(tx, locked, { ...common, kind: backupRunningRoom, input: () => ({}) }, starter)
  const key = `${room.name}/${now.toISOString().replaceAll(':', '-')}.zip`
  return startChange(tx, locked, { ...common, kind: backupRunningRoomToObjectStore, input: () => ({ key }) }, starter)
}
