/** What people type: stored in NFC, without invisible characters. */
import { z } from 'zod'
import { type CodedError, coded, codedError } from './field-errors.ts'

/**
 * Controls, ends of lines and paragraphs, what turns the direction of writing, and what has no shape of its own (spaces
 * of no width, soft hyphens, fillers). Not those with which scripts and emoji are written: joiners between two of their
 * letters, and selectors of a variant.
 */
const hidden =
  /(?!(?<=(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Default_Ignorable_Code_Point}])[\p{L}\p{M}]|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Variation_Selector}])\p{Join_Control}(?=[\p{L}\p{M}\p{Extended_Pictographic}])|(?<=[\p{Extended_Pictographic}\p{Script=Han}\p{Script=Mongolian}])\p{Variation_Selector})[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu
/** In what identifies something, nothing of the kind is taken, however it is written. */
const hiddenInKeys = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u
const endsOfLines = /(?=\p{White_Space})[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** With which Unicode's stream-safe format does, too (UAX #15). */
const tooManyMarks = /(\p{M}{30})\p{M}+/gu

/**
 * No letter has more than 30 marks. More are cut, because putting them in order takes minutes for a long row, before
 * the limit of a length is checked. Passwords are not changed like this: only their length is limited first.
 */
export function inNfc(text: string): string {
  return text.replaceAll(tooManyMarks, '$1').normalize('NFC')
}

/** In one line: what ends a line becomes a space. */
export function asLine(text: string): string {
  return inNfc(text.replaceAll(endsOfLines, ' ').replaceAll(hidden, ''))
}

/** In any number of lines. */
export function asLines(text: string): string {
  return inNfc(replaceHidden(text.replaceAll(/[\u0085\p{Zl}\p{Zp}]/gu, '\n'), () => ''))
}

/** All but ends of lines and tabs. */
function replaceHidden(text: string, replacement: (character: string) => string): string {
  return text.replaceAll(hidden, (character) => (/[\n\r\t]/.test(character) ? character : replacement(character)))
}

/** `U+200B` */
function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Any text in lines, with a mark such as `⟨U+200B⟩` for each invisible character. */
export function withHiddenMarked(text: string): string {
  return replaceHidden(text, (character) => `⟨${codeOf(character)}⟩`)
}

/** The same in one line, with one mark for all of them. */
export function asPlainLine(text: string): string {
  return text.replaceAll(hidden, '\ufffd')
}

/** Why the text cannot identify something; null: it can. */
export function whyNotKey(text: string): CodedError | null {
  return whyHeld(hiddenInKeys, text)
}

function whyHeld(pattern: RegExp, text: string): CodedError | null {
  const [found] = text.match(pattern) ?? []
  return found === undefined ? null : codedError('text-has-control-characters', { character: codeOf(found) })
}

type Context = z.core.$RefinementCtx<string>

/** For `superRefine`: the text identifies something. */
export function refuseUnlessKey(text: string, context: Context): void {
  refuseIf(whyNotKey(text), context)
}

/** For `superRefine`: the text is a name of any language that identifies something. */
export function refuseUnlessName(text: string, context: Context): void {
  refuseIf(whyHeld(new RegExp(hidden, 'u'), text), context)
}

function refuseIf(why: CodedError | null, context: Context): void {
  if (why === null) return
  const message = coded('text-has-control-characters', { character: String(why.params.character) })
  context.addIssue({ code: 'custom', message })
}

/** What is searched for, as texts are stored; but control characters stay, which lists refuse or split words at. */
export function asSearched(text: string): string {
  // A filter may name 100,000 rooms.
  if (/^[ -~]*$/.test(text)) return text
  const line = text.replaceAll(endsOfLines, ' ')
  return inNfc(line.replaceAll(hidden, (character) => (/\p{Cc}/u.test(character) ? character : '')))
}

export const searched = z.string().overwrite(asSearched)
