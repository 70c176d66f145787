import type { Server } from '#connection/connect.ts'
import { rowsPerPage } from '#output/pages.ts'

/** The names of which there is no project room: a bulk would leave them out without a word. */
export async function missingRooms(server: Server, names: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (let first = 0; first < names.length; first += rowsPerPage) {
    const some = names.slice(first, first + rowsPerPage)
    const { body } = await server.call('listRooms', {
      query: {
        size: rowsPerPage,
        totals: 'if-quick',
        filter_keys: ['tenantName'],
        filter_conditions: ['IN'],
        filter_values: [some.join('||')],
      },
    })
    const found = new Set(body.data.map(({ tenantName }) => tenantName))
    missing.push(...some.filter((name) => !found.has(name)))
  }
  return missing
}
