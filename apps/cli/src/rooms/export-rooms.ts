import { routes } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { printDownload } from '#connection/receive-file.ts'
import { addQueryOptions, type RoomQueryOptions, roomQuery } from './query-options.ts'

export function addExportRooms(rooms: Command): void {
  addQueryOptions(rooms.command('export').description('Write project rooms as CSV, as the console exports them'))
    .option('--to <file>', 'write to this file; it is there whole or not at all (default: stdout)')
    .addHelpText(
      'after',
      `
Examples:
  roomkeeper rooms export --to rooms.csv
  roomkeeper rooms export --state ERROR | column -s, -t`,
    )
    .action(async (options: RoomQueryOptions & { to?: string }) => {
      const server = await connect()
      const query = { ...roomQuery(options), order_by: 'tenantName', order_dir: 'asc' as const }
      const { body } = await server.open('exportRooms', { query })
      await printDownload({ body, mediaType: routes.exportRooms.stream, to: options.to })
    })
}
