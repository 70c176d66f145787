/** `--wait` and `--timeout`, of every command that starts an operation. */
import { type Command, InvalidArgumentError, Option } from 'commander'

export interface WaitOptions {
  wait?: boolean
  /** Seconds. */
  timeout?: number
}

export function addWaitOptions(command: Command): Command {
  return command
    .option('-w, --wait', 'follow the operation to its end; exit code 4 if it fails')
    .addOption(timeoutOption().implies({ wait: true }))
}

/** Adds `--timeout` to a command that always waits. */
export function addTimeoutOption(command: Command, description: string): Command {
  return command.addOption(timeoutOption(description))
}

function timeoutOption(description = 'wait no longer than this, such as 90s, 10m or 2h; exit code 124'): Option {
  return new Option('--timeout <time>', description).argParser(secondsOf)
}

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }

function secondsOf(text: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)([smh])?$/.exec(text) ?? []
  const seconds = Number(number) * (unitSeconds[unit] ?? 1)
  if (seconds > 0) return seconds
  throw new InvalidArgumentError('A time looks like 90s, 10m or 2h.')
}
