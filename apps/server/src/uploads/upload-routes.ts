/** The calls that upload files. */
import { type BackupContents, because, type ImportedRoom, importedRoom } from '@roomkeeper/contract'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { recordChange } from '#changes/index.ts'
import type { Database } from '#platform/database.ts'
import { type Caller, type Handlers, type IncomingUpload, ok } from '#platform/http/handler.ts'
import { refuse, refuseFile } from '#platform/refuse.ts'
import { acceptUpload, type UploadRules } from './accept-upload.ts'
import { insertUpload, type StoredUpload, type UploadKind } from './stored-upload.ts'

type UploadHandlers = Pick<Handlers, 'uploadImport' | 'uploadBackup' | 'uploadDatabase'>

interface UploadCall {
  upload: IncomingUpload
  signal: AbortSignal
  caller: Caller
  requestId: string
}

export function uploadHandlers(database: Database, rules: UploadRules): UploadHandlers {
  /** Keeps the upload unless `answer` throws. */
  async function keep<T>(call: UploadCall, kind: UploadKind, answer: (upload: StoredUpload) => T): Promise<T> {
    const upload = await acceptUpload(rules, call.upload, kind, call.caller.operatorId, call.signal)
    try {
      const answered = answer(upload)
      await database.transaction(async (tx) => {
        await insertUpload(tx, { ...upload, kind, operatorId: call.caller.operatorId })
        const { fileName: file, size: bytes, sha256: digest } = upload
        const detail = because('audit-uploaded', { file, bytes, digest })
        const { requestId } = call
        await recordChange(tx, { actor: call.caller.actor, kind: `upload.${kind}`, detail, requestId })
      })
      return answered
    } catch (error) {
      // If removing the file fails, housekeeping later finds a file without a record.
      await rules.store.remove(upload.storeKey).catch(() => undefined)
      throw error
    }
  }

  return {
    uploadImport: async (call) =>
      keep(call, 'backup', (upload) => {
        const { contents, manifest } = backupOf(upload)
        if (contents.kind !== 'room')
          throw refuseFile('wrong-file-content', 'backup-kind', { found: contents.kind, wanted: 'room' })
        const room = importedRoomOf(upload.name, manifest, contents)
        // The form does not accept values that no room can have, such as too many licences.
        const [wrong] = z.safeEncode(importedRoom, room).error?.issues ?? []
        if (wrong !== undefined)
          throw refuseFile('wrong-file-content', 'manifest-value', { name: wrong.path.join('.') })
        return ok(room)
      }),
    uploadBackup: async (call) =>
      keep(call, 'backup', (upload) => ok({ tmpFileName: upload.name, backup: backupOf(upload).contents })),
    uploadDatabase: async (call) => keep(call, 'database', (upload) => ok({ fileName: upload.name })),
  }
}

function backupOf({ contents, manifest }: StoredUpload): { contents: BackupContents; manifest: BackupManifest } {
  if (contents === null || manifest === null) throw refuse('wrong-file-content')
  return { contents, manifest }
}

/** Fills the form for a new room with what the manifest of a backup says. */
function importedRoomOf(tmpFileName: string, manifest: BackupManifest, backup: BackupContents): ImportedRoom {
  const { contacts, licences } = manifest
  return {
    tmpFileName,
    backup,
    tenantName: manifest.room,
    product: manifest.product,
    edition: manifest.edition,
    expirationDate: manifest.expirationDate,
    customerFirstName: contacts.customerFirstName,
    customerLastName: contacts.customerLastName,
    customerEmail: contacts.ownerEmail,
    customerContactDetails: contacts.customerContactDetails,
    companyName: contacts.companyName,
    additionalEmail: contacts.delegateEmail,
    licenses: Object.fromEntries(licences.map(({ licenseKey, licenseAmount }) => [licenseKey, licenseAmount])),
    licensesInformation: licences,
    subLicenses: manifest.subLicences,
    subMiningType: manifest.subMiningType,
  }
}
