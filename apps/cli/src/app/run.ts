/** Runs one call of the command line. */
import { type Command, CommanderError } from 'commander'
import type { Run } from '#cli.ts'
import { connect } from '#connection/connect.ts'
import { exitCodes, Failure, usageFailure } from '#failure.ts'
import { outputOf, wantsJson } from '#output/output-options.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { printFailure } from './print-failure.ts'
import { createProgram } from './program.ts'

/** @param args without Node and the program @returns the exit code */
export async function run(terminal: Terminal, args: readonly string[]): Promise<number> {
  let flags: string[] = []
  let profile: string | undefined
  const runCommand: Run =
    (work) =>
    async (...given) => {
      // Commander gives it behind arguments and options.
      const command = given.at(-1) as Command
      flags = command.options.map(({ long }) => long ?? '')
      const output = outputOf(terminal, command)
      terminal.isQuiet = output.isQuiet
      profile = command.optsWithGlobals<{ profile?: string }>().profile
      await work({ terminal, output, profile, connect: () => connect(terminal, profile) }, ...given)
    }
  const program = createProgram(runCommand, terminal)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
      return error.exitCode === 0 ? 0 : exitCodes.usage
    const failure = failureFrom(error, program, args)
    if (failure === null) throw error
    printFailure(terminal, failure, { isJson: wantsJson(args), flags, profile })
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

/** @returns the path of the command, as far as the arguments name one */
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
