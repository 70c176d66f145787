/** `roomkeeper completion`, and the hidden `complete` that the shells call. */
import { Argument, type Command } from 'commander'
import type { Run } from '#cli.ts'
import { isUnsafe } from '#terminal/shown-text.ts'
import { candidatesFor } from './candidates.ts'
import { namesFor } from './names-on-server.ts'
import { completionScripts, type Shell, shells } from './scripts.ts'

export function addCompletion(program: Command, run: Run): void {
  program
    .command('completion')
    .description('Print the completion for a shell: commands, options, names of project rooms and regions')
    .addArgument(new Argument('<shell>').choices(shells))
    .addHelpText(
      'after',
      `
Load it, each time a shell starts:
  bash  echo 'source <(roomkeeper completion bash)' >> ~/.bashrc
  zsh   echo 'source <(roomkeeper completion zsh)' >> ~/.zshrc
  fish  roomkeeper completion fish > ~/.config/fish/completions/roomkeeper.fish`,
    )
    .action(run(({ terminal }, shell: Shell) => terminal.write(completionScripts[shell])))
  program
    .command('complete [words...]', { hidden: true })
    .allowUnknownOption()
    .action(
      run(async (cli, words: string[]) => {
        const typed = words.at(-1) ?? ''
        const { words: known, names } = candidatesFor(program, words)
        const all =
          names === null ? known : [...known, ...(await namesFor(cli.terminal, profileIn(words), names, typed))]
        // A name that could steer a terminal is not offered.
        for (const word of all) if (word.startsWith(typed) && !isUnsafe(word)) await cli.terminal.writeLine(word)
      }),
    )
}

/** The line that is being typed may name another profile than this call. */
function profileIn(words: readonly string[]): string | undefined {
  const given = words.slice(0, -1)
  const index = given.findIndex((word) => word === '--profile' || word.startsWith('--profile='))
  const [, value = given[index + 1]] = given[index]?.split('=') ?? ['']
  return index === -1 ? undefined : value
}
