/** `bulk cancel` and `bulk retry`. */
import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions } from '#operations/wait-options.ts'
import { bulkProgress } from './bulk-progress.ts'

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
      const { operationId } = (await server.call(route, { params: { id } })).body
      const progress = () => bulkProgress(server, id)
      await finishStart(server, command, { doing, done, operationId, progress, mayBeCancelled: name === 'cancel' })
    })
}
