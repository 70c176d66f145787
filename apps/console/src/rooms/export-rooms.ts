import { type ExportColumn, exportColumns, licenceTotalKeys, type RoomExportQuery } from '@roomkeeper/contract'
import { client } from '#api/client.ts'
import { chosenCsvFormat } from '#ui/csv-format.ts'
import { downloadFrom } from '#ui/download-from.ts'
import { shownColumns } from '#ui/table/remembered-columns.ts'
import { type RoomColumn, roomsTable } from './list/search.ts'

/**
 * Has the browser download the matching rooms as CSV.
 * @param columns all if absent
 * @throws if the server refuses or the connection is lost
 */
export async function exportRooms(query: RoomExportQuery, columns?: ExportColumn[]): Promise<void> {
  const body = { query, csv: chosenCsvFormat(), columns }
  downloadFrom((await client.call('createRoomsTicket', { body })).body.url)
}

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
