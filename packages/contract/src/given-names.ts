/** Names that people give: they are one line and say what they show, also in a terminal and as actors of the audit trail. */
import { z } from 'zod'
import { coded } from './field-errors.ts'

/** Control characters, ends of lines and paragraphs, and what turns the direction of writing. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

export function isPlainLine(text: string): boolean {
  return text.search(hidden) === -1
}

/** Any text, with a visible mark for each character that a name may not hold. */
export function asPlainLine(text: string): string {
  return text.replaceAll(hidden, '\ufffd')
}

export const notPlainLine = coded('text-has-control-characters')

export const givenName = z
  .string({ error: coded('name-missing') })
  .trim()
  .min(1, coded('name-missing'))
  .max(60, coded('at-most-characters', { max: 60 }))
  .refine(isPlainLine, notPlainLine)
