/** manifest.json of a room backup (.zip): describes the room and the files beside it. */
import { z } from 'zod'
import { atMost, boundedJson, inForm } from './bounds.ts'
import { roomCreation, roomName, roomSettings } from './schemas.ts'

export const backupManifest = z.object({
  format: z.literal(1),
  /** `room`: a whole room. `product`: only databases, the second backup of an import. */
  kind: z.enum(['room', 'product']),
  createdAt: z.iso.datetime(),
  room: roomName,
  product: roomCreation.shape.product,
  edition: roomCreation.shape.edition,
  /** The schema version of system.db. */
  schemaVersion: z.int().min(1),
  ...roomSettings.shape,
  files: z
    .array(
      z.object({
        /** `system.db` (kind room only) or `databases/<name>.db`. */
        path: z.string().max(200),
        /** Bytes. */
        size: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(atMost.filesOfBackup),
})
export type BackupManifest = z.output<typeof backupManifest>

export const manifestFile = 'manifest.json'

/** Object members and list elements of a manifest. One with the most files allowed has about half as many. */
const elementsAtMost = 100_000

/** One that people may have written. */
const elementsOfSmall = 2000

/** What keeps a text from being a manifest: the first field that is missing or wrong, or null if that cannot be told. */
export function wrongFieldOfManifest(text: string): string | null {
  const [issue] = backupManifest.safeParse(boundedJson(text, elementsOfSmall)).error?.issues ?? []
  return issue === undefined || issue.path.length === 0 ? null : issue.path.join('.')
}

/** Parses an untrusted manifest; null if it is not one. */
export function parseManifest(text: string): BackupManifest | null {
  return inForm(backupManifest, boundedJson(text, elementsAtMost))
}
