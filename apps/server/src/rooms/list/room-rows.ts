/** Rooms as rows joined with their region and operations, and their translation to the wire. */
import type { PinnedNote, ProcessType, ProjectRoom, WaitingStep } from '@roomkeeper/contract'
import { processTypeOf } from '@roomkeeper/rules'
import { waitingStepSql } from '#operations/index.ts'
import { columnOf } from '#platform/column-names.ts'
import { pinnedNotesOf } from '../notes/pinned-notes.ts'
import { fieldColumns, fieldsOf } from '../room-field-columns.ts'
import type { StoredRoom } from '../stored-room.ts'
import { noBackup } from './query.ts'
import { shownState } from './where.ts'

const ownColumns = [
  'id',
  ...fieldColumns,
  'licences',
  'licencesInformation',
  'subLicences',
  'version',
  'errorReasons',
  'lastBackupRestoredAt',
  'labels',
]

export interface RoomRow extends Omit<StoredRoom, 'errorCode'> {
  lastBackupRestoredAt: string | null
  pinnedNotes: PinnedNote[]
  regionName: string
  regionIsDisabled: boolean
  regionIsTarget: boolean
  lastBackupAt: string | null
  /** The operation that runs or waits for the room. */
  operationId: string | null
  processType: ProcessType | null
  step: string | null
  stepId: string | null
  progress: number | null
  isBeingPutBack: boolean | null
  waiting: WaitingStep | null
  /** The newest operation that the monitoring lists, if it failed. */
  failedOperationId: string | null
}

/** Named in camelCase by the SQL itself, so that the rows of a page need no translation. */
const roomColumns = `
  ${ownColumns.map((name) => `r.${columnOf(name)} as "${name}"`).join(', ')},
  g.name as "regionName", g.state = 'disabled' as "regionIsDisabled",
  exists (select from live_migrations where target_region_id = r.region_id) as "regionIsTarget",
  nullif(r.last_backup_at, '${noBackup}') as "lastBackupAt",
  ${pinnedNotesOf('r')} as "pinnedNotes",
  o.id as "operationId", o.process_type as "processType", o.step,
  o.step_id as "stepId", o.progress, o.failure is not null as "isBeingPutBack",
  case when o.id is not null then ${waitingStepSql} end as waiting, f.id as "failedOperationId"`

/**
 * Selects RoomRows with their `position` in an array of names. Rooms that have been deleted meanwhile are left out.
 * @param names an SQL expression
 */
export function roomsNamed(names: string): string {
  return `
    select ${roomColumns}, page.position from unnest(${names}) with ordinality as page (name, position)
    join rooms r on r.name = page.name join regions g on g.id = r.region_id
    left join operations o on o.room_id = r.id and o.state in ('waiting', 'running', 'cancelling')
    left join lateral (
      select id, state from operations where room_id = r.id and process_type is not null order by n desc limit 1
    ) f on f.state = 'failed'`
}

/** `$1` is the array of names, in whose order the rooms are. */
export const selectRoomsByName = `${roomsNamed('$1::text[]')} order by page.position`

export function presentRoom(row: RoomRow): ProjectRoom {
  const room = {
    product: row.product,
    edition: row.edition,
    licenses: row.licences,
    licensesInformation: row.licencesInformation,
    subLicenses: row.subLicences,
  }
  return {
    ...room,
    ...fieldsOf(row),
    errorReasons: row.errorReasons ?? [],
    regionName: row.regionName,
    regionIsMigrationTarget: row.regionIsTarget,
    regionState: row.regionIsDisabled ? 'disabled' : 'enabled',
    expirationDateFromLocalDate: row.expirationDate,
    projectRoomState: shownState(row.state, row.regionIsDisabled),
    options: processTypeOf(room),
    version: row.version,
    runningOperation: runningOperationOf(row),
    failedOperationId: row.failedOperationId,
    lastBackupAt: row.lastBackupAt,
    lastBackupVerifiedAt: row.lastBackupRestoredAt,
    labels: row.labels,
    pinnedNotes: row.pinnedNotes,
  }
}

export function runningOperationOf({
  operationId,
  processType,
  step,
  stepId,
  progress,
  isBeingPutBack,
  waiting,
}: RoomRow): ProjectRoom['runningOperation'] {
  if (operationId === null) return null
  return {
    operationId,
    processType,
    step,
    stepId,
    progress: progress ?? 0,
    isBeingPutBack: isBeingPutBack === true,
    waiting,
  }
}
