/** Data goes to stdout; everything that is said about it goes to stderr. */
import { once } from 'node:events'
import { type Colour, coloured } from './colours.ts'
import { shownText } from './shown-text.ts'

/** One line on stderr. */
export function say(line: string, colour: Colour | null = null): void {
  process.stderr.write(`${coloured(shownText(line), colour, process.stderr)}\n`)
}

/** To stdout, no faster than it is read. The text is already safe for a terminal. */
export async function write(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

export async function writeLine(text: string): Promise<void> {
  await write(`${text}\n`)
}
