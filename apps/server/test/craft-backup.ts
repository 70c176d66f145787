/** Small backups and database exports like those of regions, with changes where a test needs them to be wrong. */
import { createHash, randomBytes } from 'node:crypto'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import { craftZip, type ZipEntry } from './craft-zip.ts'

/** Maps paths to contents. */
export type BackupFiles = Record<string, string | Buffer>

export const roomFiles: BackupFiles = { 'system.db': 'the system', 'databases/main.db': 'the main database' }
export const productFiles: BackupFiles = { 'databases/sales.db': 'a database' }

export function manifestOf(files: BackupFiles, changes: Partial<BackupManifest> = {}): BackupManifest {
  return {
    format: 1,
    kind: 'system.db' in files ? 'room' : 'product',
    createdAt: '2026-11-20T03:15:00.000Z',
    room: 'acme',
    product: 'ARIS',
    edition: 'advanced',
    schemaVersion: 1,
    licences: [
      { licenseKey: 'YAAD', licenseAmount: 3, licenseType: 'NUC' },
      { licenseKey: 'YAAV', licenseAmount: 7, licenseType: 'CUC' },
    ],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: '2030-01-31',
    contacts: {
      companyName: 'Acme',
      customerFirstName: 'Ada',
      customerLastName: 'Lovelace',
      customerContactDetails: null,
      ownerEmail: 'ada@acme.example',
      delegateEmail: 'grace@acme.example',
    },
    files: Object.entries(files).map(([path, content]) => ({
      path,
      size: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
    ...changes,
  }
}

/** @param more entries in addition to the files that the manifest lists */
export function craftBackup(
  files: BackupFiles = roomFiles,
  changes: Partial<BackupManifest> = {},
  more: ZipEntry[] = [],
): Buffer {
  return craftZip([
    { name: 'manifest.json', content: JSON.stringify(manifestOf(files, changes)) },
    ...Object.entries(files).map(([name, content]) => ({ name, content })),
    ...more,
  ])
}

/** A complete export, but no password opens it. */
export function craftDatabaseExport(chunkSizes: number[] = [1000, 0]): Buffer {
  const start = Buffer.concat([Buffer.from('RKADB\x01', 'latin1'), Buffer.from([17, 8, 1]), randomBytes(32)])
  const chunks = chunkSizes.map((size, index) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE((size | (index === chunkSizes.length - 1 ? 0x8000_0000 : 0)) >>> 0)
    return Buffer.concat([length, randomBytes(size + 16)])
  })
  return Buffer.concat([start, createHash('sha256').update(start).digest(), ...chunks])
}
