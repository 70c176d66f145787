/** `roomkeeper attention`, `today` and `capacity`: what is wrong now, what was done on a day, and how full the regions are. */
import {
  type AttentionFact,
  attentionFact,
  type DayCounts,
  dayCounts,
  type Product,
  products,
  type RegionCapacity,
  regionCapacity,
} from '@roomkeeper/contract'
import type { Command } from 'commander'
import { day, oneOf } from '#arguments.ts'
import type { Run } from '#cli.ts'
import { addJsonOption, addListOptions, isForPeople, type ListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
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

type DayCount = DayCounts['counts'][number]

const countView: View<DayCount> = {
  name: ({ kind }) => kind,
  none: 'Nothing was done.',
  fields: ['kind', 'count'],
  columns: [
    { title: 'WHAT', rank: 0, value: ({ kind }) => kind },
    { title: 'COUNT', rank: 0, value: ({ count }) => count },
  ],
}

export function addToday(program: Command, run: Run): void {
  const command = program
    .command('today')
    .description('Count what was done with project rooms on a day')
    .option('--day <day>', 'on this day instead of today (UTC)', day)
  addJsonOption(command, Object.keys(dayCounts.shape))
    .addHelpText(
      'after',
      '\nJSON, YAML and CSV also have what ended in each hour.\n\nExamples:\n  roomkeeper today --day 2027-01-31\n  roomkeeper today --json hours',
    )
    .action(
      run(async (cli, { day: wanted }: { day?: string }) => {
        const { body } = await (await cli.connect()).call('today', { query: { day: wanted } })
        if (!isForPeople(cli.output)) return printOne(body, body.from.slice(0, 10), cli.output)
        const done = body.counts.filter(({ count }) => count > 0)
        await printList(countView, done, cli.output)
      }),
    )
}

const capacityView: View<RegionCapacity> = {
  name: ({ regionName }) => regionName,
  none: 'There is no region.',
  fields: Object.keys(regionCapacity.shape),
  columns: [
    { title: 'REGION', rank: 0, value: ({ regionName }) => regionName },
    { title: 'ROOMS', rank: 1, value: ({ rooms }) => rooms },
    { title: 'LIMIT', rank: 1, value: ({ limit }) => limit },
    { title: 'FREE', rank: 2, value: ({ limit, rooms }) => (limit === null ? null : Math.max(limit - rooms, 0)) },
    { title: 'FULL ON', rank: 3, value: ({ fullOn }) => fullOn },
    { title: 'STATE', rank: 4, value: ({ state }) => state },
    { title: 'HEALTH', rank: 4, value: ({ health }) => health },
  ],
}

export function addCapacity(program: Command, run: Run): void {
  const command = program
    .command('capacity')
    .description('List how full the regions are, and when they will be')
    .option('--product <product>', 'only regions that serve it', oneOf(products))
  addListOptions(command, capacityView.fields)
    .addHelpText('after', '\nExamples:\n  roomkeeper capacity --product MINING\n  roomkeeper capacity -o json')
    .action(
      run(async (cli, { product, limit }: { product?: Product } & ListOptions) => {
        const { body } = await (await cli.connect()).call('capacity', { query: { product } })
        await printList(capacityView, body.slice(0, limit), cli.output)
      }),
    )
}
