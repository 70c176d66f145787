/** Texts from regions: made safe to store and to show, whatever the region sends. */
import { z } from 'zod'

/** For people: characters that cannot be stored or shown are left out, and long texts are cut. */
export function cleanText(text: string, most = 2000): string {
  return withoutControls(text).slice(0, most).toWellFormed()
}

export const cleanedText = z.string().overwrite((text) => cleanText(text, 1000))

/** For texts of rooms, locks and redirects: refused when they cannot be stored. */
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
