/**
 * Texts of the server are never sent to the terminal as they are: a room's name or a line of a log could hold a
 * sequence that moves the cursor, changes the title or answers for the user.
 */

/** Controls (C0, DEL, C1), characters that turn the direction of writing or hide, and halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Cs}/gu

/** Escapes a text for one line: line feeds and tabs, too. */
export function shownText(text: string): string {
  return text.replace(unsafe, escaped)
}

export function isUnsafe(text: string): boolean {
  return text.search(unsafe) !== -1
}

/** As JSON and double-quoted YAML write it; for texts in which line feeds and tabs are the format's own. */
export function escapedAsJson(json: string): string {
  return json.replace(unsafe, (character) => (character === '\n' ? character : unicodeEscape(character)))
}

/** Escapes a text for a terminal in a format without escapes of its own. */
export function shownLines(text: string): string {
  return text.replace(unsafe, (character) => (/[\n\t]/.test(character) ? character : escaped(character)))
}

/** Escapes what could steer a terminal, and keeps line feeds, tabs and the direction of writing, which belong to a file. */
export function withoutControls(text: string): string {
  return text.replace(controls, escaped)
}

export function withoutControlsInJson(json: string): string {
  return json.replace(controls, unicodeEscape)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escaped(character: string): string {
  const code = character.charCodeAt(0)
  return short[character] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : unicodeEscape(character))
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
