import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions } from '#operations/wait-options.ts'

export function addBackupRoom(rooms: Command): void {
  const command = rooms
    .command('backup <room>')
    .description('Back up a suspended project room')
    .option('--to-object-store', 'straight from its region to the object store (D2O)')
  addWaitOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper rooms suspend fleet1 --wait && roomkeeper rooms backup fleet1 --wait',
    )
    .action(async (room: string, { toObjectStore = false }: { toObjectStore?: boolean }) => {
      const server = await connect()
      const answer = await server.call('backupRoom', { query: { projectRoomName: room, isD2O: toObjectStore } })
      await finishStart(server, command, {
        doing: `Backing up ${room}`,
        done: `${room} was backed up`,
        projectRoomName: room,
        operationId: answer.body.operationId,
      })
    })
}
