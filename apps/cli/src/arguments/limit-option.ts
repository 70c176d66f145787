import type { Command } from 'commander'
import { wholeNumber } from './whole-number.ts'

export interface LimitOption {
  limit?: number
}

/** `--limit`, of every list. */
export function addLimitOption(command: Command): Command {
  return command.option('-l, --limit <number>', 'list no more than so many', wholeNumber(1))
}
