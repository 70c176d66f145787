/** Questions, only ever asked on a terminal. What is typed as a secret is not shown. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Failure } from '#failure.ts'
import { coloured } from './colours.ts'
import { shownText } from './shown-text.ts'

export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

export function ask(question: string): Promise<string> {
  return questionWith(question, process.stderr, true)
}

export async function askSecret(question: string): Promise<string> {
  process.stderr.write(coloured(shownText(question), 'bold', process.stderr))
  // Readline echoes what is typed to its output.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    return await questionWith('', nowhere, true)
  } finally {
    process.stderr.write('\n')
  }
}

export async function confirms(question: string): Promise<boolean> {
  const answer = await ask(`${question} [y/N] `)
  return /^y(es)?$/i.test(answer.trim())
}

async function questionWith(question: string, output: NodeJS.WritableStream, terminal: boolean): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal })
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
