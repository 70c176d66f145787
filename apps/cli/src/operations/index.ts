/** `roomkeeper operations`: what the server does in the background. */
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { finishStart } from './finish-start.ts'
import { addListOperations } from './list-operations.ts'
import { addGetOperation, addOperationLogs } from './show-operation.ts'
import { addWaitOptions, type WaitOptions } from './wait-options.ts'

export function addOperations(program: Command, run: Run): void {
  const operations = program.command('operations').alias('ops').description('Operations: the work in the background')
  addListOperations(operations, run)
  addGetOperation(operations, run)
  addOperationLogs(operations, run)
  addManageOperation(operations, run, 'cancel')
  addManageOperation(operations, run, 'retry')
}

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

function addManageOperation(operations: Command, run: Run, name: keyof typeof actions): void {
  const { route, description, doing, done } = actions[name]
  const command = operations.command(`${name} <operation>`).description(description)
  addWaitOptions(command)
    .addHelpText('after', `\nExamples:\n  roomkeeper operations ${name} 4f9c… --wait`)
    .action(
      run(async (cli, id: string, options: WaitOptions) => {
        const server = await cli.connect()
        const { body } = await server.call(route, { params: { id } })
        const { operationId } = body
        await finishStart(cli, server, options, { doing, done, operationId, mayBeCancelled: name === 'cancel' })
      }),
    )
}
