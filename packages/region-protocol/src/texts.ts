/** Makes texts from regions safe to store and to show, whatever a region sends. */
import { z } from 'zod'

/** For texts that people read: replaces characters that cannot be stored or shown, and cuts long texts. */
export function cleanText(text: string, most = 2000): string {
  return withoutControls(text).slice(0, most).toWellFormed()
}

export const cleanedText = z.string().overwrite((text) => cleanText(text, 1000))

/** For the data of rooms, locks and redirects: a text that cannot be stored is refused. */
export const strictText = (max: number) =>
  z
    .string()
    .max(max)
    .refine(
      (text) => text.isWellFormed() && withoutControls(text) === text,
      'A text is well-formed, without control characters.',
    )

function withoutControls(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, ' ')
}
