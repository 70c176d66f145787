/** `roomkeeper bulk`: one action for many project rooms, by the server. */
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { finishBulk } from './finish-bulk.ts'
import { addShowBulks } from './show-bulks.ts'
import { addStartBulk } from './start-bulk.ts'

export function addBulks(program: Command, run: Run): void {
  const bulks = program.command('bulk').alias('bulks').description('One action for many project rooms')
  addStartBulk(bulks, run)
  addShowBulks(bulks, run)
  addManageBulk(bulks, run, 'cancel')
  addManageBulk(bulks, run, 'retry')
}

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

function addManageBulk(bulks: Command, run: Run, name: keyof typeof actions): void {
  const { route, description, doing, done } = actions[name]
  const command = bulks.command(`${name} <bulk>`).description(description)
  addWaitOptions(command)
    .addHelpText('after', `\nExamples:\n  roomkeeper bulk ${name} 4f9c… --wait`)
    .action(
      run(async (cli, id: string, options: WaitOptions) => {
        const server = await cli.connect()
        await server.call(route, { params: { id } })
        await finishBulk(cli, server, options, { doing, done, id, mayBeCancelled: name === 'cancel' })
      }),
    )
}
