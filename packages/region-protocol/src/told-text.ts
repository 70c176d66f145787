/** Texts that a region tells: whoever stores or shows them must be able to, whatever the region is. */
import { z } from 'zod'

const lengthAtMost = 1000

/** For people: what cannot be stored or shown is left out of it, and what is too long is cut. */
export const plainText = z.string().overwrite((text) => plain(text).slice(0, lengthAtMost).toWellFormed())

/** Of a room, a lock or a redirection: what cannot be stored is refused. */
export const toldText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => text.isWellFormed() && plain(text) === text, 'A text is well-formed, without control characters.')

function plain(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}/gu, ' ')
}
