/** `roomkeeper doctor`: whether the console, its regions and the stores agree. */

import { type Finding, finding } from '@roomkeeper/contract'
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { waitForOperation } from '#operations/wait-for-operation.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { addListOptions, type ListOptions, type Output } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { timeText, type View } from '#output/view.ts'
import { addRepairFinding, openFindings } from './repair-finding.ts'

/** `doctor repair` takes the ids of findings. */
const findingView: View<Finding> = {
  name: ({ id }) => id,
  none: 'Everything agrees.',
  fields: Object.keys(finding.shape),
  columns: [
    { title: 'ID', rank: 0, value: ({ id }) => id },
    {
      title: 'SEVERITY',
      rank: 2,
      value: ({ severity }) => severity,
      colour: ({ severity }) => (severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : null),
    },
    { title: 'FINDING', rank: 1, value: ({ text }) => text },
    { title: 'SINCE', rank: 4, value: ({ since }) => timeText(since) },
    { title: 'REPAIRS', rank: 3, value: ({ repairs }) => repairs.join(', ') },
  ],
}

export function addDoctor(program: Command, run: Run): void {
  const doctor = program.command('doctor').description('Compare the console with its regions and stores')
  const command = doctor.command('run').description('Look at everything now')
  addWaitOptions(command)
    .addHelpText(
      'after',
      '\nWith --wait it lists the findings in the end; exit code 5 if there are some.\n\nExamples:\n  roomkeeper doctor run --wait',
    )
    .action(
      run(async (cli, options: WaitOptions) => {
        const server = await cli.connect()
        const { operationId } = (await server.call('runDoctor', {})).body
        const started = { doing: 'Looking', done: 'Everything was looked at', operationId }
        if (options.wait !== true) return finishStart(cli, server, options, started)
        await waitForOperation(cli.terminal, server, {
          operationId,
          what: started.doing,
          timeoutSeconds: options.timeout,
        })
        const count = await listFindings(server, cli.output)
        if (count > 0) throw new Failure('differs', count === 1 ? '1 finding.' : `${count} findings.`)
      }),
    )
  addListOptions(doctor.command('findings').description('List what the last look has found'), findingView.fields)
    .addHelpText('after', '\nExamples:\n  roomkeeper doctor findings -o json')
    .action(
      run(async (cli, { limit }: ListOptions) => {
        await listFindings(await cli.connect(), cli.output, limit)
      }),
    )
  addRepairFinding(doctor, run)
}

async function listFindings(server: Server, output: Output, limit?: number): Promise<number> {
  return printList(findingView, openFindings(server, limit), output)
}
