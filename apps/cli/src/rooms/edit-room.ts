import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { usageFailure } from '#failure.ts'
import { finishStart, operationOf } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { fieldsFrom } from './create-room.ts'
import { findRoom } from './find-room.ts'
import { editOf, mergedFields } from './room-fields.ts'
import { addRoomFlags, fieldsOfFlags, type LicenceFlags } from './room-flags.ts'

interface EditOptions extends WaitOptions, LicenceFlags {
  from?: string
}

export function addEditRoom(rooms: Command, run: Run): void {
  const command = rooms
    .command('edit <room>')
    .description('Change fields of a project room; the others stay')
    .option('--from <file>', 'fields from a YAML or JSON file (- for stdin); flags win')
  addWaitOptions(addRoomFlags(command, 'edit'))
    .addHelpText(
      'after',
      `
If somebody else changes the room at the same time, one of the two is refused.

Examples:
  roomkeeper rooms edit fleet1 --sap-number-last 4712 --licence YABD=10
  roomkeeper rooms edit fleet1 --expiration-date 2028-12-31`,
    )
    .action(
      run(async (cli, name: string, options: EditOptions) => {
        const wanted = mergedFields(await fieldsFrom(cli.terminal, options.from), fieldsOfFlags(options))
        if (Object.keys(wanted).length === 0)
          throw usageFailure('Please say what to change.', 'roomkeeper rooms edit --help')
        const server = await cli.connect()
        const room = await findRoom(server, name)
        const answer = await server.call('editRoom', { body: editOf(room, wanted) })
        await finishStart(cli, server, options, {
          doing: `Changing ${name}`,
          done: `${name} was changed`,
          projectRoomName: name,
          operationId: operationOf(answer),
        })
      }),
    )
}
