/** `roomkeeper completion`, and the hidden `complete` that the shells call. */
import { Argument, type Command } from 'commander'
import { write, writeLine } from '#terminal/say.ts'
import { isUnsafe } from '#terminal/shown-text.ts'
import { candidatesFor } from './candidates.ts'
import { namesOnServer } from './names-on-server.ts'
import { completionScripts, type Shell, shells } from './scripts.ts'

export function addCompletion(program: Command): void {
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
    .action((shell: Shell) => write(completionScripts[shell]))
  program
    .command('complete [words...]', { hidden: true })
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const typed = words.at(-1) ?? ''
      const { words: known, names } = candidatesFor(program, words)
      const all = names === null ? known : [...known, ...(await namesOnServer(names, typed))]
      // A name that could do something to a terminal is better typed by hand.
      for (const word of all) if (word.startsWith(typed) && !isUnsafe(word)) await writeLine(word)
    })
}
