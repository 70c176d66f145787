/** manifest.json of a room backup (.zip): describes the room and the files beside it. */
import { z } from 'zod'
import { atMost, boundedJson, inForm } from './bounds.ts'
import { roomCreation, roomName, roomSettings } from './schemas.ts'

export const backupManifest = z.object({
  format: z.literal(1).describe('The version of this format.'),
  kind: z
    .enum(['room', 'product'])
    .describe('`room`: a whole room. `product`: only databases, which join those of a room.'),
  createdAt: z.iso.datetime().describe('When the backup was made.'),
  room: roomName.describe('The room that it was made of. It may be restored into a room of another name.'),
  product: roomCreation.shape.product,
  edition: roomCreation.shape.edition,
  schemaVersion: z
    .int()
    .min(1)
    .describe('The schema version of `system.db`; of the room in a backup of kind `product`.'),
  ...roomSettings.shape,
  files: z
    .array(
      z.object({
        path: z.string().max(200).describe('`system.db` (kind `room` only) or `databases/<name>.db`.'),
        size: z.int().min(0).describe('Bytes, unpacked.'),
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/)
          .describe('Of the unpacked file, hexadecimal.'),
      }),
    )
    .max(atMost.filesOfBackup)
    .describe('Every file of the backup but the manifest itself.'),
})
export type BackupManifest = z.output<typeof backupManifest>

export const manifestFile = 'manifest.json'

/** Object members and list elements of a manifest. One with the most files allowed has about half as many. */
const elementsAtMost = 100_000

/** What keeps a text from being a manifest: the first field that is missing or wrong, or null if that cannot be told. */
export function wrongFieldOfManifest(text: string): string | null {
  const [issue] = manifestIn(text).error?.issues ?? []
  return issue === undefined || issue.path.length === 0 ? null : issue.path.join('.')
}

/** Parses an untrusted manifest; null if it is not one. */
export function parseManifest(text: string): BackupManifest | null {
  return manifestIn(text).data ?? null
}

function manifestIn(text: string) {
  return inForm(backupManifest, boundedJson(text, elementsAtMost))
}
