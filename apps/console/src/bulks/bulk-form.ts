/** What the operator enters for a bulk, and what is sent of it. */
import { type BulkAction, type BulkRequest, type BulkSelection, bulkParameters } from '@roomkeeper/contract'
import { parseDay } from '#ui/day.ts'

export interface BulkWanted {
  action: BulkAction
  selection: BulkSelection
  /** How many rooms are selected, as the list has counted them. */
  count: number
  /** The id of the region in which all of them are, as far as that is known. */
  from?: number | undefined
  /** A retry that begins once their region is back, unless the operator chooses otherwise. */
  whenRegionIsBack?: boolean
}

/** Which of it counts depends on the action. */
export interface Entries {
  userNotification: boolean
  withoutBackup: boolean
  whenRegionIsBack: boolean
  /** The id of the region. */
  targetRegion: string | null
  skipActiveSessions: boolean
  /** As it was typed. */
  expirationDate: string
  unlimitedToo: boolean
  subject: string
  text: string
  /** Labels. */
  add: string[]
  remove: string[]
  /** The number of rooms, typed before they are deleted. */
  typedCount: string
}

export const initialEntries: Entries = {
  userNotification: true,
  withoutBackup: false,
  whenRegionIsBack: false,
  targetRegion: null,
  skipActiveSessions: false,
  expirationDate: '',
  unlimitedToo: false,
  subject: '',
  text: '',
  add: [],
  remove: [],
  typedCount: '',
}

/** The parameters of the action, which may be invalid. */
export function parametersOf(action: BulkAction, entries: Entries): object {
  const { userNotification, withoutBackup, whenRegionIsBack, skipActiveSessions, unlimitedToo, subject, text } = entries
  switch (action) {
    case 'suspend':
    case 'resume':
      return { userNotification }
    case 'delete':
      return { withoutBackup }
    case 'retry':
      return { whenRegionIsBack }
    case 'move':
      return { targetRegion: entries.targetRegion && Number(entries.targetRegion), skipActiveSessions }
    case 'extend':
      return { expirationDate: parseDay(entries.expirationDate) ?? entries.expirationDate, unlimitedToo }
    case 'notify':
      return { subject, text }
    case 'label':
      return { add: entries.add, remove: entries.remove }
    default:
      return {}
  }
}

/** Null while the parameters are invalid. */
export function requestOf({ action, selection }: BulkWanted, parameters: object): BulkRequest | null {
  const isValid = bulkParameters[action].safeParse(parameters).success
  return isValid ? ({ action, selection, parameters } as BulkRequest) : null
}
