import { routes } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { cutOffAsFailure, passToStdout, receiveFile } from '#connection/receive-file.ts'
import { Failure } from '#failure.ts'
import { note } from '#terminal/say.ts'
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
      if (body === null) throw new Failure('unreachable', 'The server sent nothing.')
      await cutOffAsFailure(
        options.to === undefined ? passToStdout(body, routes.exportRooms.stream) : receiveFile(body, options.to),
      )
      if (options.to !== undefined) note(`Written: ${options.to}`, 'green')
    })
}
