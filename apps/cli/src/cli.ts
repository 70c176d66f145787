import type { Server } from '#connection/connect.ts'
import type { Output } from '#output/output-options.ts'
import type { Terminal } from '#terminal/terminal.ts'

/** What every command is given, besides its arguments and options. */
export interface Cli {
  terminal: Terminal
  output: Output
  /** `--profile`. */
  profile: string | undefined
  /** @throws Failure when the user has not signed in */
  connect(): Promise<Server>
}

/** Makes the action of a command from what it does. */
export type Run = <Given extends unknown[]>(
  work: (cli: Cli, ...given: Given) => unknown,
) => (...given: Given) => Promise<void>
