/** `rooms suspend` and `rooms resume`. */
import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { finishStart, operationOf } from '#operations/finish-start.ts'
import { addWaitOptions } from '#operations/wait-options.ts'

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

export function addChangeState(rooms: Command, name: keyof typeof changes): void {
  const { route, description, doing, done } = changes[name]
  const command = rooms
    .command(`${name} <room>`)
    .description(description)
    .option('--no-notify', 'owner and delegate get no e-mail')
  addWaitOptions(command)
    .addHelpText('after', `\nExamples:\n  roomkeeper rooms ${name} fleet1 --no-notify --wait`)
    .action(async (room: string, { notify }: { notify: boolean }) => {
      const server = await connect()
      const answer = await server.call(route, { body: { roomName: room, userNotification: notify } })
      await finishStart(server, command, {
        doing: `${doing} ${room}`,
        done: `${room} ${done}`,
        projectRoomName: room,
        operationId: operationOf(answer),
      })
    })
}
