import type { RoomExportQuery } from '@roomkeeper/contract'
import { client } from '#api/client.ts'
import { saveAs } from '#ui/save-as.ts'

/** Downloads the matching rooms as CSV. @throws when the server refuses or the connection breaks. */
export async function exportRooms(query: RoomExportQuery): Promise<void> {
  const response = await client.open('exportRooms', { query })
  saveAs(await response.blob(), `projectRooms_${new Date().toISOString()}.csv`)
}
