/** Makes any text that a region sends safe to store and to show. */
import { z } from 'zod'

/** Invisible characters, and those that turn the direction: a text could be shown as another one than it is. */
const misleading = /[\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/** For texts that people read: replaces characters that cannot be stored or mislead, and cuts long texts. */
export function cleanText(text: string, most = 2000): string {
  return withoutControls(text).replace(misleading, ' ').slice(0, most).toWellFormed()
}

export const cleanedText = z.string().overwrite((text) => cleanText(text, 1000))

/** For the data of rooms, locks and redirects: a text that cannot be stored is refused. */
export const strictText = (max: number) =>
  z
    .string()
    .max(max)
    .refine(
      (text) => text.isWellFormed() && withoutControls(text) === text,
      'a well-formed text without control characters',
    )

function withoutControls(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, ' ')
}
