import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { outputOf } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import { findRoom } from './find-room.ts'

export function addGetRoom(rooms: Command): void {
  rooms
    .command('get <room>')
    .description('Show everything about a project room')
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper rooms get fleet1\n  roomkeeper rooms get fleet1 -o json | jq .licenses',
    )
    .action(async (name: string, _options: object, command: Command) => {
      const room = await findRoom(await connect(), name)
      await printOne(room, room.tenantName, outputOf(command))
    })
}
