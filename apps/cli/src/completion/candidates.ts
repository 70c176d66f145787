/** Finds what could come next on the command line. */
import type { Argument, Command, Option } from 'commander'
import { completionsOf } from '#arguments.ts'

/**
 * Names that the server knows, or of stored logins: `<room>`, `<rooms...>`, `<region>`, `<deleted>`, `<purged>` and
 * `<profile>` stand for them, as arguments and after options.
 */
export type NameKind = 'room' | 'region' | 'deleted' | 'purged' | 'profile'

interface Candidates {
  words: readonly string[]
  /** The kind of names that fit, too. */
  names: NameKind | null
}

/** @param words after the program's name; the last one is being typed, and may be empty */
export function candidatesFor(program: Command, words: readonly string[]): Candidates {
  const typed = words.at(-1) ?? ''
  let command = program
  let given = 0
  let open: Option | null = null
  for (const word of words.slice(0, -1)) {
    if (open !== null) open = null
    else if (word.startsWith('-')) open = optionThatTakes(command, word)
    else {
      const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
      if (next !== undefined && given === 0) command = next
      else given += 1
    }
  }
  if (open !== null) return { words: wordsOf(open, typed), names: nameKindOf(open.flags) }
  if (typed.startsWith('-')) return { words: flagsOf(command), names: null }
  if (command.commands.length > 0) return { words: visibleCommands(command), names: null }
  const argument = argumentAt(command.registeredArguments, given)
  return argument === null
    ? { words: [], names: null }
    : { words: wordsOf(argument, typed), names: nameKindOf(argument.name()) }
}

function argumentAt(all: readonly Argument[], index: number): Argument | null {
  const last = all.at(-1)
  return all[index] ?? (last?.variadic === true ? last : null)
}

/** The option that this word is, if its value comes next. */
function optionThatTakes(command: Command, word: string): Option | null {
  if (word.includes('=')) return null
  const found = optionsOf(command).find(({ long, short }) => long === word || short === word)
  return found === undefined || found.isBoolean() || found.negate ? null : found
}

function optionsOf(command: Command): readonly Option[] {
  return command.parent === null ? command.options : [...command.options, ...optionsOf(command.parent)]
}

function flagsOf(command: Command): string[] {
  const shown = optionsOf(command).filter(({ hidden, long }) => !hidden && long !== '--version')
  return [...shown.flatMap(({ long }) => long ?? []), '--help']
}

function visibleCommands(command: Command): string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name())
}

function wordsOf({ argChoices, parseArg }: Pick<Option, 'argChoices' | 'parseArg'>, typed: string): readonly string[] {
  return argChoices ?? completionsOf(parseArg, typed)
}

function nameKindOf(text: string): NameKind | null {
  if (/\bregion\b/.test(text) && !text.startsWith('--s3')) return 'region'
  if (/\bprofile\b/.test(text)) return 'profile'
  if (text === 'deleted' || text === 'purged') return text
  return /\brooms?\b/.test(text.replace(/^--[\w-]+/, '')) ? 'room' : null
}
