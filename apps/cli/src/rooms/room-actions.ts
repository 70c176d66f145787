/** `rooms suspend`, `rooms resume`, `rooms backup` and `rooms delete`. */
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { finishStart, operationOf } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { confirmOrFail } from '#terminal/ask.ts'
import { findRoomIfAny } from './find-room.ts'

const changes = {
  suspend: {
    route: 'suspendRoom',
    description: "Keep a project room's users out",
    doing: 'Suspending',
    done: 'is suspended',
  },
  resume: {
    route: 'resumeRoom',
    description: "Let a project room's users in again",
    doing: 'Resuming',
    done: 'is active again',
  },
} as const

export function addChangeState(rooms: Command, run: Run, name: keyof typeof changes): void {
  const { route, description, doing, done } = changes[name]
  const command = rooms
    .command(`${name} <room>`)
    .description(description)
    .option('--no-notify', 'owner and delegate get no e-mail')
  addWaitOptions(command)
    .addHelpText('after', `\nExamples:\n  roomkeeper rooms ${name} fleet1 --no-notify --wait`)
    .action(
      run(async (cli, room: string, options: WaitOptions & { notify: boolean }) => {
        const server = await cli.connect()
        const answer = await server.call(route, { body: { roomName: room, userNotification: options.notify } })
        await finishStart(cli, server, options, {
          doing: `${doing} ${room}`,
          done: `${room} ${done}`,
          projectRoomName: room,
          operationId: operationOf(answer),
        })
      }),
    )
}

interface BackupOptions extends WaitOptions {
  toObjectStore?: boolean
}

export function addBackupRoom(rooms: Command, run: Run): void {
  const command = rooms
    .command('backup <room>')
    .description('Back up a suspended project room')
    .option('--to-object-store', 'straight from its region to the object store (D2O)')
  addWaitOptions(command)
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper rooms suspend fleet1 --wait && roomkeeper rooms backup fleet1 --wait',
    )
    .action(
      run(async (cli, room: string, options: BackupOptions) => {
        const server = await cli.connect()
        const answer = await server.call('backupRoom', {
          query: { projectRoomName: room, isD2O: options.toObjectStore === true },
        })
        await finishStart(cli, server, options, {
          doing: `Backing up ${room}`,
          done: `${room} was backed up`,
          projectRoomName: room,
          operationId: answer.body.operationId,
        })
      }),
    )
}

interface DeleteOptions extends WaitOptions {
  withoutBackup?: boolean
  yes?: boolean
}

export function addDeleteRoom(rooms: Command, run: Run): void {
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
    .action(
      run(async (cli, room: string, options: DeleteOptions) => {
        const server = await cli.connect()
        const pinnedNotes = options.yes === true ? [] : ((await findRoomIfAny(server, room))?.pinnedNotes ?? [])
        for (const { text, author } of pinnedNotes) cli.terminal.say(`Pinned note: ${text} (${author})`, 'yellow')
        const question = `Type ${room} to delete it with everything in it:`
        await confirmOrFail(server, { question, typed: room, yes: options.yes === true })
        const backup = options.withoutBackup === true ? { withoutBackup: true } : {}
        const answer = await server.call('deleteRoom', { body: { roomName: room, ...backup } })
        await finishStart(cli, server, options, {
          doing: `Deleting ${room}`,
          done: `${room} was deleted`,
          projectRoomName: room,
          operationId: answer.body.operationId,
        })
      }),
    )
}
