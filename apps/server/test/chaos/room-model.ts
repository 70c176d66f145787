/**
 * The state that a project room must have after a sequence of actions: a complete model, without processes, files or a
 * network. Tests perform the same actions on a real room and compare.
 */

export type Action =
  | { do: 'create'; region: RegionNumber; viewers: number }
  | { do: 'edit'; company: string; viewers: number }
  | { do: 'write'; text: string }
  | { do: 'suspend' | 'resume' | 'backup' | 'delete' | 'move' }
  | { do: 'restore'; backup: number }
  | { do: 'backupDatabase' | 'restoreDatabase' }
export type RegionNumber = 1 | 2

export interface RoomModel {
  state: 'DEFAULT' | 'SUSPENDED'
  region: RegionNumber
  company: string
  viewers: number
  documents: Documents
  /** The documents in each backup, oldest backup first. */
  backups: Documents[]
  /** The documents in the export of its database. */
  export: Documents | null
}

export interface Documents {
  /** Acknowledged documents, which must exist. */
  certain: ReadonlyMap<string, string>
  /** Documents whose acknowledgement was lost: each may exist, complete, or not at all. */
  possible: ReadonlyMap<string, string>
}

const noDocuments: Documents = { certain: new Map(), possible: new Map() }

/** Whether the action is possible now. `room` is null if there is no room of this name. */
export function isPossible(room: RoomModel | null, action: Action): boolean {
  if (room === null) return action.do === 'create'
  switch (action.do) {
    case 'create':
      return false
    case 'edit':
    case 'write':
    case 'suspend':
    case 'backupDatabase':
      return room.state === 'DEFAULT'
    case 'restoreDatabase':
      return room.state === 'DEFAULT' && room.export !== null
    case 'resume':
    case 'backup':
      return room.state === 'SUSPENDED'
    case 'restore':
      return room.state === 'SUSPENDED' && room.backups.length > 0
    case 'move':
    case 'delete':
      return true
  }
}

/** The room after an action that took effect. For written documents, use `withDocument` instead. */
export function after(before: RoomModel | null, action: Action): RoomModel | null {
  const room = before ?? newRoom
  switch (action.do) {
    case 'create':
      return { ...newRoom, region: action.region, viewers: action.viewers }
    case 'edit':
      return { ...room, company: action.company, viewers: action.viewers }
    case 'suspend':
      return { ...room, state: 'SUSPENDED' }
    case 'resume':
      return { ...room, state: 'DEFAULT' }
    case 'backup':
      return { ...room, backups: [...room.backups, room.documents] }
    case 'restore':
      return { ...room, documents: backupOf(room, action.backup) }
    case 'backupDatabase':
      return { ...room, export: room.documents }
    case 'restoreDatabase':
      return { ...room, documents: room.export ?? noDocuments }
    case 'move':
      return { ...room, region: otherRegion(room.region) }
    case 'delete':
      return null
    case 'write':
      return room
  }
}

const newRoom: RoomModel = {
  state: 'DEFAULT',
  region: 1,
  company: 'Example, Inc.',
  viewers: 0,
  documents: noDocuments,
  backups: [],
  export: null,
}

export function withDocument(room: RoomModel, sort: keyof Documents, id: string, text: string): RoomModel {
  const documents = { ...room.documents, [sort]: new Map([...room.documents[sort], [id, text]]) }
  return { ...room, documents }
}

/** Wraps around, so that any number stands for a backup. */
export function backupNumber(room: RoomModel, wanted: number): number {
  return wanted % room.backups.length
}

export function otherRegion(region: RegionNumber): RegionNumber {
  return region === 1 ? 2 : 1
}

function backupOf(room: RoomModel, wanted: number): Documents {
  return room.backups[backupNumber(room, wanted)] ?? noDocuments
}
