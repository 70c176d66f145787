import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions } from '#operations/wait-options.ts'
import { confirmOrFail } from '#terminal/confirm-or-fail.ts'
import { findDeletedRoom } from './deleted-rooms.ts'

export function addPurgeDeletedRoom(deleted: Command): void {
  const command = deleted
    .command('purge <deleted>')
    .description('Remove all that is left of a deleted project room, by its name or id, for good')
    .option('-y, --yes', 'do not ask')
  addWaitOptions(command)
    .addHelpText(
      'after',
      `
Its backups are removed from every store and it can never come back. Then everything is looked for again,
and a certificate says what was removed.

Examples:
  roomkeeper rooms deleted purge fleet1 --wait
  roomkeeper rooms deleted certificate fleet1 --to fleet1.json`,
    )
    .action(async (given: string, { yes = false }: { yes?: boolean }) => {
      const server = await connect()
      const { id, projectRoomName } = await findDeletedRoom(server, given)
      const question = `Type ${projectRoomName} to remove all that is left of it, for good:`
      await confirmOrFail({ question, typed: projectRoomName, yes })
      const answer = await server.call('purgeDeletedRoom', { params: { id }, body: { typedName: projectRoomName } })
      await finishStart(server, command, {
        doing: `Purging ${projectRoomName}`,
        done: `Nothing is left of ${projectRoomName}`,
        projectRoomName,
        operationId: answer.body.operationId,
      })
    })
}
