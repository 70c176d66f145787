/** Runs one call of the command line. */
import { type Command, CommanderError } from 'commander'
import { bugFailure, exitCodes, Failure, usageFailure } from '#failure.ts'
import { outputOf, wantsJson } from '#output/output-options.ts'
import { beQuiet, drawBar } from '#terminal/say.ts'
import { printFailure } from './print-failure.ts'
import { createProgram } from './program.ts'

/** @param args without Node and the program @returns the exit code */
export async function run(args: readonly string[]): Promise<number> {
  let called: Command | null = null
  const program = createProgram((command) => {
    called = command
    if (outputOf(command).isQuiet) beQuiet()
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
      return error.exitCode === 0 ? 0 : exitCodes.usage
    const failure = failureFrom(error, program, args)
    if (failure === null) throw error
    const flags = (called as Command | null)?.options.map(({ long }) => long ?? '') ?? []
    printFailure(failure, { isJson: wantsJson(args), flags })
    return exitCodes[failure.kind]
  }
}

function failureFrom(error: unknown, program: Command, args: readonly string[]): Failure | null {
  if (error instanceof Failure) return error
  if (!(error instanceof CommanderError)) return null
  const message = error.message
    .replace(/^error: /, '')
    .replace(/^command-argument value ('.*') is invalid for argument '(.*?)'\./s, '$1 is invalid as <$2>.')
  return usageFailure(message, `${pathOf(program, args)} --help`)
}

/** As far as there are such commands. */
function pathOf(program: Command, args: readonly string[]): string {
  let command = program
  let path = program.name()
  for (const arg of args) {
    const next = command.commands.find((each) => each.name() === arg || each.aliases().includes(arg))
    if (next === undefined) continue
    command = next
    path += ` ${next.name()}`
  }
  return path
}

/** Ctrl-C where nothing has to be put in order. */
export function endInterrupted(args: readonly string[]): void {
  drawBar('')
  printFailure(new Failure('interrupted', 'Stopped.'), { isJson: wantsJson(args), flags: [] })
  process.exit(exitCodes.interrupted)
}

/** Ends the program when its output cannot be written, as on a full disk. */
export function endUnwritten(error: Error, args: readonly string[]): void {
  printFailure(usageFailure(`The output cannot be written: ${error.message}`), { isJson: wantsJson(args), flags: [] })
  process.exit(exitCodes.usage)
}

/** A mistake of this program. */
export function sayBug(error: unknown, args: readonly string[]): void {
  printFailure(bugFailure(error), { isJson: wantsJson(args), flags: [] })
}
