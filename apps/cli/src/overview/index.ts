/** `roomkeeper attention`: what is wrong now. */
import { type AttentionFact, attentionFact } from '@roomkeeper/contract'
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { addListOptions, type ListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { timeText, type View } from '#output/view.ts'

const factView: View<AttentionFact> = {
  name: ({ kind }) => kind,
  none: 'Nothing needs attention.',
  fields: Object.keys(attentionFact.shape),
  columns: [
    {
      title: 'SEVERITY',
      rank: 1,
      value: ({ severity }) => severity,
      colour: ({ severity }) => (severity === 'error' ? 'red' : 'yellow'),
    },
    { title: 'WHAT', rank: 0, value: ({ text }) => text },
    { title: 'SINCE', rank: 2, value: ({ since }) => timeText(since) },
  ],
}

export function addAttention(program: Command, run: Run): void {
  const command = program.command('attention').description('List what is wrong now, worst first')
  addListOptions(command, factView.fields)
    .addHelpText('after', '\nExamples:\n  roomkeeper attention\n  roomkeeper attention -o json --json kind,count,since')
    .action(
      run(async (cli, { limit }: ListOptions) => {
        const { body } = await (await cli.connect()).call('attention', {})
        await printList(factView, body.slice(0, limit), cli.output)
      }),
    )
}
