/**
 * Uploads: multipart, with one file in the field `file`. The file gets a temporary name, under which its sender can use
 * it once, within 24 hours.
 */
import { z } from 'zod'
import { backupContents } from './backups.ts'
import { coded } from './field-errors.ts'
import { maximumLicenceCount } from './licences.ts'
import { refusalsOfStores } from './problem.ts'
import { licenceInformation, subLicenceEntry } from './room-fields.ts'
import { projectRoom } from './rooms.ts'
import type { Route } from './route.ts'

/** The temporary name of an upload, as a later call gives it. */
export const uploadName = z
  .string({ error: coded('upload-missing') })
  .min(1, coded('upload-missing'))
  .max(100)

const possibleCount = z.int().min(0).max(maximumLicenceCount)

/** The fields of a new room, filled in from a backup's manifest. Fields that the manifest does not hold are absent. */
export const importedRoom = projectRoom
  .pick({
    tenantName: true,
    product: true,
    edition: true,
    expirationDate: true,
    customerFirstName: true,
    customerLastName: true,
    customerEmail: true,
    customerContactDetails: true,
    companyName: true,
    additionalEmail: true,
    licenses: true,
    licensesInformation: true,
    subLicenses: true,
    subMiningType: true,
  })
  .extend({
    licensesInformation: z.array(licenceInformation.extend({ licenseAmount: possibleCount })),
    subLicenses: z.array(subLicenceEntry.extend({ subLicenseAmount: possibleCount })),
    tmpFileName: z.string(),
    backup: backupContents,
  })
export type ImportedRoom = z.output<typeof importedRoom>

/** The refusals of every upload. */
const refusalsOfFiles = [
  'malformed',
  'wrong-media-type',
  'wrong-file',
  'no-upload-content',
  'wrong-file-content',
  'unpacks-too-large',
  'too-large',
  'storage-full',
  'too-many-calls',
  ...refusalsOfStores,
] as const

export const uploadRoutes = {
  uploadImport: {
    method: 'POST',
    path: '/api/operator/import',
    access: 'edit',
    summary: 'Takes the backup of a project room and answers with the room that its manifest describes.',
    upload: '.zip',
    refuses: refusalsOfFiles,
    answers: { 200: importedRoom },
  },
  uploadBackup: {
    method: 'POST',
    path: '/api/operator/imports',
    access: 'edit',
    summary: 'Takes a backup: of a project room, to be restored, or a second product backup.',
    upload: '.zip',
    refuses: refusalsOfFiles,
    answers: { 200: z.object({ tmpFileName: z.string(), backup: backupContents }) },
  },
  uploadDatabase: {
    method: 'POST',
    path: '/api/operator/import/Database',
    access: 'admin',
    summary: 'Takes a database export (.adb).',
    upload: '.adb',
    refuses: refusalsOfFiles,
    answers: { 200: z.object({ fileName: z.string() }) },
  },
} as const satisfies Record<string, Route>
