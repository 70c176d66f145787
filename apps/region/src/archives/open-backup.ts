/**
 * A sandbox task: reads the manifest of a room backup (.zip), and at once does all that a restore needs of a small
 * room: it unpacks the files, checks each of them, and digests what they hold.
 */
import { join } from 'node:path'
import type { BackupManifest } from '@roomkeeper/region-protocol'
import { refuse } from '#refusals.ts'
import { digestContent } from '#rooms/digest-content.ts'
import { rebuildSystemDatabase } from '#rooms/rebuild-system-database.ts'
import { systemDatabaseFile } from '#rooms/room-folders.ts'
import { newestSchemaVersion } from '#rooms/system-database.ts'
import type { Report } from '#sandbox/report.ts'
import { checkDatabase } from '#sqlite/check-database.ts'
import { databaseOfPath, type RoomBackup, withRoomBackup } from './read-room-backup.ts'

export interface BackupToOpen {
  path: string
  /** Where a small room is unpacked. */
  folder: string
  /** The product of the room that is restored; undefined: any will do. */
  product: string | undefined
  /** Also take the digest of a small room. */
  digest: boolean
  /** Also compares every index of a small room's databases with its table. */
  thorough: boolean
  /** A room is small if all files of its backup together have fewer bytes, unpacked. */
  smallBelowBytes: number
}

export interface OpenedBackup {
  manifest: BackupManifest
  /**
   * Null: it is that of a large room or of a product, and nothing is unpacked. `rebuilt`: the databases whose damaged
   * indexes were built anew.
   */
  small: { digest: string | null; rebuilt: string[] } | null
}

/** @throws {Refusal} 'wrong-content', 'damaged-file', 'product-differs', 'schema-too-new' */
export function openBackup(
  { path, folder, product, digest, thorough, smallBelowBytes }: BackupToOpen,
  report: Report,
): Promise<OpenedBackup> {
  return withRoomBackup(path, async (backup) => {
    const { manifest } = backup
    refuseOther(manifest, product)
    const bytes = manifest.files.reduce((total, { size }) => total + size, 0)
    if (manifest.kind === 'product' || bytes >= smallBelowBytes) return { manifest, small: null }
    const { databases, rebuilt } = await unpackAndCheck(backup, { folder, thorough }, report)
    if (!digest) return { manifest, small: { digest: null, rebuilt } }
    const files = { system: join(folder, systemDatabaseFile), databases }
    return { manifest, small: { digest: digestContent(files, (fraction) => report(0.8 + 0.2 * fraction)), rebuilt } }
  })
}

function refuseOther(manifest: BackupManifest, product: string | undefined): void {
  if (product !== undefined && manifest.product !== product)
    throw refuse('product-differs', { found: manifest.product, expected: product })
  if (manifest.schemaVersion > newestSchemaVersion)
    throw refuse('schema-too-new', { found: manifest.schemaVersion, known: newestSchemaVersion })
}

/** Reports before each file, because the time that a task has counts from its last report. */
async function unpackAndCheck(
  { manifest, extract }: RoomBackup,
  { folder, thorough }: Pick<BackupToOpen, 'folder' | 'thorough'>,
  report: Report,
): Promise<{ databases: { name: string; path: string }[]; rebuilt: string[] }> {
  await extract(folder, (fraction) => report(0.6 * fraction))
  await rebuildSystemDatabase({ path: join(folder, systemDatabaseFile) })
  const databases = manifest.files
    .flatMap(({ path }) => {
      const name = databaseOfPath(path)
      return name === undefined ? [] : [{ name, path: join(folder, path) }]
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const rebuilt: string[] = []
  for (const [index, { name, path }] of databases.entries()) {
    report(0.6 + (0.2 * index) / databases.length)
    if (checkDatabase({ path, thorough }) === 'indexes-damaged') rebuilt.push(name)
  }
  report(0.8)
  return { databases, rebuilt }
}
