import type { Finding } from '@roomkeeper/contract'
import type { Server } from '#connection/connect.ts'
import { rowsOfPages } from '#output/pages.ts'

/** What does not agree, errors first, one page in memory at a time. */
export function openFindings(server: Server, limit?: number): AsyncGenerator<Finding> {
  const readPage = async (page: number, size: number) =>
    (await server.call('doctorFindings', { query: { page, size } })).body
  return rowsOfPages(readPage, limit)
}
