/** Runs one call of the command line. */
import { type Command, CommanderError } from 'commander'
import { exitCodes, Failure } from '#failure.ts'
import { wantsJson } from '#output/output-options.ts'
import { say } from '#terminal/say.ts'
import { printFailure } from './print-failure.ts'
import { createProgram } from './program.ts'

/** @param args without Node and the program @returns the exit code */
export async function run(args: readonly string[]): Promise<number> {
  let called: Command | null = null
  const program = createProgram((command) => {
    called = command
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
      return error.exitCode === 0 ? 0 : exitCodes.usage
    const failure = failureFrom(error)
    if (failure === null) throw error
    const flags = (called as Command | null)?.options.map(({ long }) => long ?? '') ?? []
    printFailure(failure, { isJson: wantsJson(args), flags })
    return exitCodes[failure.kind]
  }
}

function failureFrom(error: unknown): Failure | null {
  if (error instanceof Failure) return error
  if (error instanceof CommanderError) return new Failure('usage', error.message.replace(/^error: /, ''))
  return null
}

/** A mistake of this program. */
export function sayBug(error: unknown): void {
  say(`roomkeeper: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, 'red')
  say('This is a mistake in the command line itself. Please report it.')
}
