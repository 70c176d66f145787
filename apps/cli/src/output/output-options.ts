/** What every command knows about its output: `-o` and `--quiet`. */
import { type Command, Option } from 'commander'

export const outputFormats = ['table', 'json', 'csv', 'yaml'] as const
export type OutputFormat = (typeof outputFormats)[number]

export interface Output {
  format: OutputFormat
  /** Only names or ids, one a line. */
  isQuiet: boolean
}

export function addOutputOptions(program: Command): void {
  program
    .addOption(new Option('-o, --output <format>', 'how data is printed').choices(outputFormats).default('table'))
    .option('-q, --quiet', 'print only names or ids, and on stderr only what is wrong')
}

export function outputOf(command: Command): Output {
  const { output, quiet } = command.optsWithGlobals<{ output: OutputFormat; quiet?: boolean }>()
  return { format: output, isQuiet: quiet === true }
}

/** Tables and sentences; everything else is for programs. */
export function isForPeople({ format, isQuiet }: Output): boolean {
  return format === 'table' && !isQuiet
}

/** Also for calls that could not be read: looks at the arguments themselves. */
export function wantsJson(args: readonly string[]): boolean {
  return args.some((arg, index) => {
    // Short options may stand together, as in -qo json.
    if (arg === '--output' || /^-\w*o$/.test(arg)) return args[index + 1] === 'json'
    return arg === '--output=json' || /^-\w*ojson$/.test(arg)
  })
}
