/** The request for a bulk, from what the operator enters. */
import type { BulkRequest } from '@roomkeeper/contract'
import { parseDay } from '#ui/day.ts'
import type { BulkWanted } from './bulk-wanted.ts'

/** What the operator has entered so far; which of it counts depends on the action. */
export interface Entries {
  userNotification: boolean
  withoutBackup: boolean
  targetRegion: number | null
  skipActiveSessions: boolean
  day: string
  unlimitedToo: boolean
  subject: string
  text: string
}

export const atFirst: Entries = {
  userNotification: true,
  withoutBackup: false,
  targetRegion: null,
  skipActiveSessions: false,
  day: '',
  unlimitedToo: false,
  subject: '',
  text: '',
}

/** Null while something is missing. */
export function requestOf(
  { action, selection }: Pick<BulkWanted, 'action' | 'selection'>,
  entries: Entries,
): BulkRequest | null {
  const { userNotification, withoutBackup, targetRegion, skipActiveSessions, subject, text } = entries
  switch (action) {
    case 'suspend':
    case 'resume':
      return { action, selection, parameters: { userNotification } }
    case 'delete':
      return { action, selection, parameters: { withoutBackup } }
    case 'move':
      return targetRegion === null ? null : { action, selection, parameters: { targetRegion, skipActiveSessions } }
    case 'extend': {
      const expirationDate = parseDay(entries.day)
      return expirationDate === null
        ? null
        : { action, selection, parameters: { expirationDate, unlimitedToo: entries.unlimitedToo } }
    }
    case 'notify':
      return text.trim() === '' ? null : { action, selection, parameters: { subject, text } }
    default:
      return { action, selection, parameters: {} }
  }
}
