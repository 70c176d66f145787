/**
 * What one call of the command line is given by its process: streams, environment, clock and Ctrl-C. Data goes to
 * stdout; everything that is said about it goes to stderr.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { usageFailure } from '#failure.ts'
import { shownText } from './shown-text.ts'

interface Input extends NodeJS.ReadableStream {
  isTTY?: boolean
}

interface Output extends NodeJS.WritableStream {
  isTTY?: boolean
  columns?: number
}

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
}

interface Surroundings {
  stdin: Input
  stdout: Output
  stderr: Output
  env: NodeJS.ProcessEnv
  clock: Clock
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Colour = keyof typeof codes

/** Colours a text, where its reader wants and sees colours. */
export type Paint = (text: string, colour: Colour | null) => string

const takenAway = '\r\u001b[2K'
const usualColumns = 80

export class Terminal {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: NodeJS.ProcessEnv
  readonly clock: Clock
  /** Of what goes to stdout. */
  readonly paint: Paint
  /** Of what goes to stderr. */
  readonly paintNote: Paint
  /** `--quiet`: only what is wrong is said. */
  isQuiet = false
  /** What has to be put in order at Ctrl-C; see `unlessStopped`. */
  readonly stops = new Set<() => void>()
  #bar = ''

  constructor({ stdin, stdout, stderr, env, clock }: Surroundings) {
    this.stdin = stdin
    this.stdout = stdout
    this.stderr = stderr
    this.env = env
    this.clock = clock
    this.paint = paintFor(stdout, env)
    this.paintNote = paintFor(stderr, env)
  }

  get isInteractive(): boolean {
    return this.stdin.isTTY === true && this.stderr.isTTY === true
  }

  get showsOutput(): boolean {
    return this.stdout.isTTY === true
  }

  /** Columns of tables; null: stdout is no terminal, so lines may be as long as they are. */
  get columns(): number | null {
    // Some terminals do not tell.
    if (this.showsOutput) return this.stdout.columns || usualColumns
    const given = Number(this.env.COLUMNS)
    return Number.isInteger(given) && given > 0 ? given : null
  }

  /** Columns of a line that is drawn again and again on stderr; null: it cannot be. */
  get barColumns(): number | null {
    return this.stderr.isTTY === true && this.env.TERM !== 'dumb' ? this.stderr.columns || usualColumns : null
  }

  /** Writes a line to stderr, also with `--quiet`. */
  say(line: string, colour: Colour | null = null): void {
    const above = this.#bar === '' ? '' : takenAway
    this.stderr.write(`${above}${this.paintNote(shownText(line), colour)}\n${this.#bar}`)
  }

  /** Writes a line to stderr about what happens, unless `--quiet` was given. */
  note(line: string, colour: Colour | null = null): void {
    if (!this.isQuiet) this.say(line, colour)
  }

  /** Draws a bar below all lines of stderr, in the place of the last one. @param text empty: removes it */
  drawBar(text: string): void {
    if (text === '' && this.#bar === '') return
    this.#bar = text
    this.stderr.write(takenAway + text)
  }

  /** Writes to stdout, no faster than it is read. The text has to be safe for a terminal already. */
  async write(text: string | Uint8Array): Promise<void> {
    if (!this.stdout.write(text)) await once(this.stdout, 'drain')
  }

  async writeLine(text: string): Promise<void> {
    await this.write(`${text}\n`)
  }

  /** @param path of a file in UTF-8; `-` is stdin @throws Failure */
  async read(path: string): Promise<string> {
    const name = path === '-' ? 'stdin' : path
    const bytes = await (path === '-' ? buffer(this.stdin) : readFile(path)).catch((error: NodeJS.ErrnoException) => {
      throw usageFailure(`${name} cannot be read: ${whyUnreadable(error)}.`)
    })
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch {
      throw usageFailure(`${name} is not UTF-8.`, 'Convert it first, for example with iconv.')
    }
  }
}

/** FORCE_COLOR wins over NO_COLOR; without both, a terminal has colours. */
function paintFor({ isTTY }: Output, { FORCE_COLOR = '', NO_COLOR = '', TERM }: NodeJS.ProcessEnv): Paint {
  const isWanted = FORCE_COLOR !== '' ? FORCE_COLOR !== '0' : NO_COLOR === '' && isTTY === true && TERM !== 'dumb'
  return (text, colour) =>
    !isWanted || colour === null || text === '' ? text : `\u001b[${codes[colour]}m${text}\u001b[0m`
}

function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ENOENT':
      return 'there is no such file'
    case 'EISDIR':
      return 'it is a folder'
    default:
      return message
  }
}
