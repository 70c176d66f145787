import { type ExportColumn, exportColumns, licenceTotalKeys, type RoomExportQuery } from '@roomkeeper/contract'
import { shownColumns } from '#ui/table/remembered-columns.ts'
import { exportRooms } from './export-rooms.ts'
import { type RoomColumn, roomsTable } from './list/search.ts'

/** What columns of the list are in the export, where it is not a column of the same name. */
const exported: Partial<Record<RoomColumn, readonly ExportColumn[]>> = {
  customerContact: ['customerFirstName', 'customerLastName'],
  regionName: ['region'],
  state: ['projectRoomState'],
  lastBackup: ['lastBackupAt', 'lastBackupVerifiedAt'],
  licenses: licenceTotalKeys,
  error: ['errorMessage'],
}

/** Exports the matching rooms with the columns that the list shows, in their order. @throws as `exportRooms` does */
export async function exportShown(query: RoomExportQuery): Promise<void> {
  const shown = shownColumns(roomsTable).flatMap((id): readonly string[] => exported[id as RoomColumn] ?? [id])
  await exportRooms(
    query,
    shown.flatMap((id) => exportColumns.find((each) => each === id) ?? []),
  )
}
