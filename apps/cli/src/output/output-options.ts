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
    .option('-q, --quiet', 'print only names or ids')
}

export function outputOf(command: Command): Output {
  const { output, quiet } = command.optsWithGlobals<{ output: OutputFormat; quiet?: boolean }>()
  return { format: output, isQuiet: quiet === true }
}

/** Also for calls that could not be read: looks at the arguments themselves. */
export function wantsJson(args: readonly string[]): boolean {
  return args.some((arg, index) => {
    if (arg === '-o' || arg === '--output') return args[index + 1] === 'json'
    return arg === '-ojson' || arg === '--output=json'
  })
}
