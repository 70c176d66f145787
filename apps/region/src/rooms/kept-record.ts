/** kept.json: whose content lies beside it, and since when. See kept-content.ts. */
import { join } from 'node:path'
import { callerId, roomId } from '@roomkeeper/region-protocol'
import { z } from 'zod'
import { replaceFile } from '#disk/durable.ts'
import { exists, isAbsent, readText } from '#disk/files.ts'

const keptContent = z.object({
  /** The id that the caller chose. */
  id: callerId,
  room: z.string(),
  roomId,
  keptAt: z.iso.datetime(),
})
export type KeptContent = z.output<typeof keptContent>

export function writeKept(folder: string, kept: KeptContent): Promise<void> {
  return replaceFile(fileIn(folder), JSON.stringify(kept))
}

/** Null: the folder keeps nothing, or nothing whole. @throws when that cannot be read just now */
export async function readKept(folder: string): Promise<KeptContent | null> {
  if (!(await exists(join(folder, 'old')))) return null
  const text = await readText(fileIn(folder)).catch((error: unknown) => {
    if (isAbsent(error)) return null
    throw error
  })
  if (text === null) return null
  try {
    return keptContent.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function fileIn(folder: string): string {
  return join(folder, 'kept.json')
}
