/** `operations cancel` and `operations retry`. */
import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { finishStart } from './finish-start.ts'
import { addWaitOptions } from './wait-options.ts'

const actions = {
  cancel: {
    route: 'cancelOperation',
    description: 'Stop an operation and put everything back as it was',
    doing: 'Cancelling the operation',
    done: 'The operation has ended',
  },
  retry: {
    route: 'retryOperation',
    description: 'Run a failed operation again from its failed step',
    doing: 'Running the operation again',
    done: 'The operation is done',
  },
} as const

export function addManageOperation(operations: Command, name: keyof typeof actions): void {
  const { route, description, doing, done } = actions[name]
  const command = operations.command(`${name} <operation>`).description(description)
  addWaitOptions(command)
    .addHelpText('after', `\nExamples:\n  roomkeeper operations ${name} 4f9c… --wait`)
    .action(async (id: string) => {
      const server = await connect()
      const { body } = await server.call(route, { params: { id } })
      const { operationId } = body
      await finishStart(server, command, { doing, done, operationId, mayBeCancelled: name === 'cancel' })
    })
}
