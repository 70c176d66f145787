/** `bulk cancel` and `bulk retry`. */
import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { addWaitOptions } from '#operations/wait-options.ts'
import { finishBulk } from './finish-bulk.ts'

const actions = {
  cancel: {
    route: 'cancelBulk',
    description: 'Begin no further project room of a bulk; those under way end',
    doing: 'Cancelling the bulk',
    done: 'The bulk has ended',
  },
  retry: {
    route: 'retryBulk',
    description: 'Take the action once more for the project rooms for which it failed',
    doing: 'Trying the failed rooms again',
    done: 'The bulk has ended',
  },
} as const

export function addManageBulk(bulks: Command, name: keyof typeof actions): void {
  const { route, description, doing, done } = actions[name]
  const command = bulks.command(`${name} <bulk>`).description(description)
  addWaitOptions(command)
    .addHelpText('after', `\nExamples:\n  roomkeeper bulk ${name} 4f9c… --wait`)
    .action(async (id: string) => {
      const server = await connect()
      await server.call(route, { params: { id } })
      await finishBulk(server, command, { doing, done, id, mayBeCancelled: name === 'cancel' })
    })
}
