/** Reads a password without an argument and without showing it on the screen. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** From ADB_PASSWORD; otherwise from the terminal, without echo; without a terminal, the first line of the input. */
export async function readPassword({ twice }: { twice: boolean }): Promise<string> {
  const given = process.env.ADB_PASSWORD
  if (given !== undefined && given !== '') return given
  const { isTTY } = process.stdin
  // Readline echoes typed characters to its output, so this output discards them.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: isTTY })
  const ask = async (prompt: string) => {
    if (isTTY) process.stderr.write(prompt)
    const line = await Promise.race([
      lines.question(''),
      new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
    ])
    if (isTTY) process.stderr.write('\n')
    return line
  }
  try {
    const password = await ask('Password: ')
    if (password === '') throw new NoPassword('Please give a password, in ADB_PASSWORD or when asked.')
    if (isTTY && twice && (await ask('The same again: ')) !== password)
      throw new NoPassword('The two passwords are not the same.')
    return password
  } finally {
    lines.close()
  }
}

class NoPassword extends Error {
  readonly code = 'no-password'
}
