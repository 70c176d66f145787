import type { ExportColumn, RoomExportQuery } from '@roomkeeper/contract'
import { client } from '#api/client.ts'
import { chosenCsvFormat } from '#ui/csv-format.ts'
import { downloadFrom } from '#ui/download-from.ts'

/**
 * Has the browser download the matching rooms as CSV.
 * @param columns all if absent
 * @throws if the server refuses or the connection is lost
 */
export async function exportRooms(query: RoomExportQuery, columns?: ExportColumn[]): Promise<void> {
  const body = { query, csv: chosenCsvFormat(), columns }
  downloadFrom((await client.call('createRoomsTicket', { body })).body.url)
}
