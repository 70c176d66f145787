/** Questions, only ever asked on a terminal. What is typed as a secret is not shown. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Failure, usageFailure } from '#failure.ts'
import { shownText } from './shown-text.ts'
import type { Terminal } from './terminal.ts'

export function ask(terminal: Terminal, question: string): Promise<string> {
  return questionWith(terminal, question, terminal.stderr)
}

export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  terminal.stderr.write(terminal.paintNote(shownText(question), 'bold'))
  // Readline echoes what is typed to its output.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    return await questionWith(terminal, '', nowhere)
  } finally {
    terminal.stderr.write('\n')
  }
}

/** The server on which something is changed. The question names it, because the user may have several. */
interface Asked {
  connection: { terminal: Terminal; login: { url: string } }
}

interface Confirmation {
  question: string
  /** The text that has to be typed; without it, y is enough. */
  typed?: string
  /** `--yes` was given. */
  yes: boolean
  /** The terminal's input is taken by something else, such as a file. */
  isInputTaken?: boolean
}

/** Before something is changed that cannot be taken back easily. @throws Failure when the user says no, or cannot be asked */
export async function confirmOrFail(
  { connection: { terminal, login } }: Asked,
  { question, typed, yes, isInputTaken = false }: Confirmation,
): Promise<void> {
  if (yes) return
  if (isInputTaken || !terminal.isInteractive)
    throw usageFailure('There is no terminal to ask on. Add --yes to go ahead.')
  const asked = `${login.url}: ${question}`
  const answer = (await ask(terminal, typed === undefined ? `${asked} [y/N] ` : `${asked} `)).trim()
  const agrees = typed === undefined ? /^y(es)?$/i.test(answer) : answer === typed
  if (!agrees) throw new Failure('interrupted', 'Stopped; nothing was changed.')
}

async function questionWith({ stdin }: Terminal, question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: stdin, output, terminal: true })
  const given = new AbortController()
  try {
    return await new Promise<string>((resolve, reject) => {
      const stop = () => reject(new Failure('interrupted', 'Stopped; nothing was changed.'))
      lines.once('SIGINT', stop)
      lines.once('close', stop)
      lines.question(shownText(question), { signal: given.signal }).then(resolve, reject)
    })
  } finally {
    given.abort()
    lines.close()
  }
}
