/** Texts that a region tells: whoever stores or shows them must be able to, whatever the region is. */
import { z } from 'zod'

/** For people: what cannot be stored or shown is left out of it, and what is too long is cut, also in half a character. */
export function shownText(text: string, most = 2000): string {
  return plain(text).slice(0, most).toWellFormed()
}

export const plainText = z.string().overwrite((text) => shownText(text, 1000))

/** Of a room, a lock or a redirection: what cannot be stored is refused. */
export const toldText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed() && plain(text) === text, 'A text is well-formed, without control characters.')

function plain(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, ' ')
}
