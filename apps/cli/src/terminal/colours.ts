/** Colours, where the reader wants and sees them. */
import type { WriteStream } from 'node:tty'

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Colour = keyof typeof codes

/** FORCE_COLOR wins over NO_COLOR; without both, a terminal has colours. */
export function hasColours(stream: Pick<WriteStream, 'isTTY'>, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return env.FORCE_COLOR !== '0'
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  return stream.isTTY === true && env.TERM !== 'dumb'
}

export function coloured(text: string, colour: Colour | null, stream: Pick<WriteStream, 'isTTY'>): string {
  return colour === null || text === '' || !hasColours(stream) ? text : `\u001b[${codes[colour]}m${text}\u001b[0m`
}
