/** `roomkeeper doctor`: whether the console, its regions and the stores agree. */

import { type Finding, finding } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { addLimitOption, type LimitOption } from '#arguments/limit-option.ts'
import { connect, type Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { waitForOperation } from '#operations/wait-for-operation.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { type Output, outputOf } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { timeText } from '#output/time-text.ts'
import type { View } from '#output/view.ts'
import { openFindings } from './open-findings.ts'
import { addRepairFinding } from './repair-finding.ts'

/** Their ids are what `doctor repair` takes. */
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

export function addDoctor(program: Command): void {
  const doctor = program.command('doctor').description('Compare the console with its regions and stores')
  const command = doctor.command('run').description('Look at everything now')
  addWaitOptions(command)
    .addHelpText(
      'after',
      '\nWith --wait it lists the findings in the end; exit code 5 if there are some.\n\nExamples:\n  roomkeeper doctor run --wait',
    )
    .action(async ({ wait = false, timeout: timeoutSeconds }: WaitOptions) => {
      const server = await connect()
      const { operationId } = (await server.call('runDoctor', {})).body
      const started = { doing: 'Looking', done: 'Everything was looked at', operationId }
      if (!wait) return finishStart(server, command, started)
      await waitForOperation(server, { operationId, what: started.doing, timeoutSeconds })
      const count = await listFindings(server, outputOf(command))
      if (count > 0) throw new Failure('differs', count === 1 ? '1 finding.' : `${count} findings.`)
    })
  addLimitOption(doctor.command('findings').description('List what the last look has found'))
    .addHelpText('after', '\nExamples:\n  roomkeeper doctor findings -o json')
    .action(async ({ limit }: LimitOption, findings: Command) => {
      await listFindings(await connect(), outputOf(findings), limit)
    })
  addRepairFinding(doctor)
}

async function listFindings(server: Server, output: Output, limit?: number): Promise<number> {
  return printList(findingView, openFindings(server, limit), output)
}
