/** Data goes to stdout; everything that is said about it goes to stderr. */
import { once } from 'node:events'
import { type Colour, coloured } from './colours.ts'
import { shownText } from './shown-text.ts'

let isQuiet = false
let bar = ''
const takenAway = '\r\u001b[2K'

/** `--quiet`: from now on, only what is wrong is said. */
export function beQuiet(): void {
  isQuiet = true
}

export function notesAreWanted(): boolean {
  return !isQuiet
}

/** One line on stderr: what is wrong. */
export function say(line: string, colour: Colour | null = null): void {
  const above = bar === '' ? '' : takenAway
  process.stderr.write(`${above}${coloured(shownText(line), colour, process.stderr)}\n${bar}`)
}

/** One line on stderr: what goes on. */
export function note(line: string, colour: Colour | null = null): void {
  if (!isQuiet) say(line, colour)
}

/** In the place of the last one; what is said meanwhile stands above it. @param text empty: takes it away */
export function drawBar(text: string): void {
  if (text === '' && bar === '') return
  bar = text
  process.stderr.write(takenAway + text)
}

/** To stdout, no faster than it is read. The text is already safe for a terminal. */
export async function write(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

export async function writeLine(text: string): Promise<void> {
  await write(`${text}\n`)
}
