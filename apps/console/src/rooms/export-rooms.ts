import type { RoomExportQuery } from '@roomkeeper/contract'
import { client } from '#api/client.ts'
import { chosenCsvFormat } from '#ui/csv-format.ts'
import { downloadFrom } from '#ui/download-from.ts'

/** Has the browser download the matching rooms as CSV. @throws if the server refuses or the connection is lost */
export async function exportRooms(query: RoomExportQuery): Promise<void> {
  downloadFrom((await client.call('createRoomsTicket', { body: { query, csv: chosenCsvFormat() } })).body.url)
}
