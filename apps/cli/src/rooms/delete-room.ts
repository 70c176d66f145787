import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions } from '#operations/wait-options.ts'
import { confirmOrFail } from '#terminal/confirm-or-fail.ts'

export function addDeleteRoom(rooms: Command): void {
  const command = rooms
    .command('delete <room>')
    .description('Delete a project room with everything in it, after a last backup')
    .option('--without-backup', 'delete it without a last backup: it cannot come back')
    .option('-y, --yes', 'do not ask')
  addWaitOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper rooms delete fleet1 --wait\n  roomkeeper rooms delete fleet1 --yes',
    )
    .action(async (room: string, options: { withoutBackup?: boolean; yes?: boolean }) => {
      const server = await connect()
      const question = `Type ${room} to delete it with everything in it:`
      await confirmOrFail({ question, typed: room, yes: options.yes === true })
      const backup = options.withoutBackup === true ? { withoutBackup: true } : {}
      const answer = await server.call('deleteRoom', { body: { roomName: room, ...backup } })
      await finishStart(server, command, {
        doing: `Deleting ${room}`,
        done: `${room} was deleted`,
        projectRoomName: room,
        operationId: answer.body.operationId,
      })
    })
}
