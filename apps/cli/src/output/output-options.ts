/** What every command knows about its output: `-o`, `--quiet`, and of what is listed or shown `--json` and `--columns`. */
import { type Command, Option } from 'commander'
import { fieldsAmong, wholeNumber } from '#arguments.ts'
import { usageFailure } from '#failure.ts'
import type { Terminal } from '#terminal/terminal.ts'

const outputFormats = ['table', 'json', 'csv', 'yaml'] as const
type OutputFormat = (typeof outputFormats)[number]

export interface Output {
  terminal: Terminal
  format: OutputFormat
  /** Only names or ids, one a line. */
  isQuiet: boolean
  /** The fields that were asked for, of JSON and of table and CSV. */
  json?: readonly string[] | undefined
  columns?: readonly string[] | undefined
}

export function addOutputOptions(program: Command): void {
  program
    .addOption(new Option('-o, --output <format>', 'how data is printed').choices(outputFormats).default('table'))
    .option('-q, --quiet', 'print only names or ids, and on stderr only what is wrong')
}

/** Adds `--json` to a command that shows one thing. @param fields those that it may name */
export function addJsonOption(command: Command, fields: readonly string[]): Command {
  return command.option('--json <fields>', 'print these fields as JSON, joined by commas', fieldsAmong(fields))
}

export interface ListOptions {
  limit?: number
}

/** Adds `--json`, `--columns` and `--limit` to a list. @param fields those that the first two may name */
export function addListOptions(command: Command, fields: readonly string[]): Command {
  return addJsonOption(command, fields)
    .option('--columns <fields>', 'fields for table and CSV, joined by commas', fieldsAmong(fields))
    .option('-l, --limit <number>', 'list no more than so many', wholeNumber(1))
}

interface Given {
  output: OutputFormat
  quiet?: boolean
  json?: string[]
  columns?: string[]
}

/** @throws Failure */
export function outputOf(terminal: Terminal, command: Command): Output {
  const { output, quiet = false, json, columns } = command.optsWithGlobals<Given>()
  const isChosen = command.getOptionValueSourceWithGlobals('output') === 'cli'
  if (json !== undefined && isChosen && output !== 'json') throw usageFailure(`--json does not go with -o ${output}.`)
  const format = json === undefined ? output : 'json'
  if (columns !== undefined && (format === 'json' || format === 'yaml'))
    throw usageFailure('--columns is for tables and CSV.', 'For JSON, name the fields with --json.')
  return { terminal, format, isQuiet: quiet, json, columns }
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
    return arg === '--output=json' || /^-\w*ojson$/.test(arg) || /^--json(=|$)/.test(arg)
  })
}
