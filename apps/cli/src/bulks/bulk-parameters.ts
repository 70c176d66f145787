/** The options of each action of a bulk, besides the choice of rooms. */

import type { BulkAction } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { day, labelsOf } from '#arguments.ts'
import type { Cli } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { usageFailure } from '#failure.ts'
import { findRegion } from '#regions/index.ts'

export interface ParameterOptions {
  notify: boolean
  withoutBackup?: boolean
  whenRegionIsBack?: boolean
  targetRegion?: string
  skipActiveSessions?: boolean
  expirationDate?: string
  limitedOnly?: boolean
  subject?: string
  textFile?: string
  add?: string[]
  remove?: string[]
}

export function addParameterOptions(command: Command): Command {
  return command
    .option('--no-notify', 'suspend, resume: owner and delegate get no e-mail')
    .option('--without-backup', 'delete: also rooms of which no last backup can be taken')
    .option('--when-region-is-back', 'retry: rooms whose region did not answer, once it has answered for a minute')
    .option('--target-region <region>', 'move: where to, by name or id')
    .option('--skip-active-sessions', 'move: also rooms that are in use')
    .option('--expiration-date <date>', 'extend: the new last day, such as 2027-01-31', day)
    .option('--limited-only', 'extend: rooms that never expire stay so')
    .option('--subject <text>', 'notify: the subject of the e-mail')
    .option('--text-file <file>', 'notify: the text of the e-mail (- for stdin)')
    .option('--add <labels>', 'label: the labels to add, joined by commas', labelsOf)
    .option('--remove <labels>', 'label: the labels to remove', labelsOf)
}

/** @throws Failure that names the option that is missing */
export async function parametersOf(
  { terminal }: Cli,
  server: Server,
  action: BulkAction,
  options: ParameterOptions,
): Promise<object> {
  switch (action) {
    case 'suspend':
    case 'resume':
      return { userNotification: options.notify }
    case 'delete':
      return { withoutBackup: options.withoutBackup === true }
    case 'retry':
      return { whenRegionIsBack: options.whenRegionIsBack === true }
    case 'backup':
    case 'updateSystemDatabase':
      return {}
    case 'move': {
      const { regionId } = await findRegion(server, needed(options.targetRegion, '--target-region'))
      return { targetRegion: regionId, skipActiveSessions: options.skipActiveSessions === true }
    }
    case 'extend': {
      const expirationDate = needed(options.expirationDate, '--expiration-date')
      return { expirationDate, unlimitedToo: options.limitedOnly !== true }
    }
    case 'notify': {
      const text = await terminal.read(needed(options.textFile, '--text-file'))
      return { subject: options.subject ?? '', text }
    }
    case 'label':
      if (options.remove === undefined) needed(options.add?.[0], '--add or --remove')
      return { add: options.add ?? [], remove: options.remove ?? [] }
  }
}

function needed(value: string | undefined, flag: string): string {
  if (value !== undefined) return value
  throw usageFailure(`Please give ${flag}.`)
}
