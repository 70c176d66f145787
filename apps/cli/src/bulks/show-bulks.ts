/** `bulk list`, `bulk get` and `bulk items`. */

import { type Bulk, type BulkItem, type BulkItemState, bulk, bulkItem, bulkItemStates } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { oneOf } from '#arguments.ts'
import type { Run } from '#cli.ts'
import { addJsonOption, addListOptions, type ListOptions } from '#output/output-options.ts'
import { rowsOfPages } from '#output/pages.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import { timeText, type View } from '#output/view.ts'

const bulkView: View<Bulk> = {
  name: ({ id }) => id,
  none: 'There is no bulk.',
  fields: Object.keys(bulk.shape),
  columns: [
    { title: 'ID', rank: 0, value: ({ id }) => id },
    { title: 'ACTION', rank: 2, value: ({ action }) => action },
    { title: 'STATE', rank: 1, value: ({ state }) => state },
    { title: 'ROOMS', rank: 3, value: ({ total }) => total },
    { title: 'DONE', rank: 4, value: ({ counts }) => counts.DONE },
    { title: 'FAILED', rank: 4, value: ({ counts }) => counts.FAILED },
    { title: 'SKIPPED', rank: 5, value: ({ counts }) => counts.SKIPPED },
    { title: 'STARTED', rank: 6, value: ({ startedAt }) => timeText(startedAt) },
    { title: 'BY', rank: 7, value: ({ startedBy }) => startedBy },
  ],
}

const itemView: View<BulkItem> = {
  name: ({ projectRoomName }) => projectRoomName,
  none: 'The bulk has no such project room.',
  fields: Object.keys(bulkItem.shape),
  columns: [
    { title: 'PROJECT ROOM', rank: 0, value: ({ projectRoomName }) => projectRoomName },
    {
      title: 'STATE',
      rank: 1,
      value: ({ state }) => state,
      colour: ({ state }) => (state === 'FAILED' ? 'red' : null),
    },
    { title: 'WHY', rank: 2, value: ({ reason }) => reason },
    { title: 'OPERATION', rank: 3, value: ({ operationId }) => operationId },
  ],
}

export function addShowBulks(bulks: Command, run: Run): void {
  addListOptions(
    bulks.command('list').alias('ls').description('List the bulks of the last 90 days, newest first'),
    bulkView.fields,
  )
    .addHelpText('after', '\nExamples:\n  roomkeeper bulk list --limit 5')
    .action(
      run(async (cli, { limit }: ListOptions) => {
        const server = await cli.connect()
        const rows = rowsOfPages(
          async (page, size) => (await server.call('bulks', { query: { page, size } })).body,
          limit,
        )
        await printList(bulkView, rows, cli.output)
      }),
    )
  addJsonOption(bulks.command('get <bulk>').description('Show how far a bulk is'), bulkView.fields)
    .addHelpText('after', '\nExamples:\n  roomkeeper bulk get 4f9c… -o json | jq .counts')
    .action(
      run(async (cli, id: string) => {
        const { body } = await (await cli.connect()).call('bulk', { params: { id } })
        await printOne(body, id, cli.output)
      }),
    )
  addListOptions(
    bulks.command('items <bulk>').description('List the project rooms of a bulk, the failed ones first'),
    itemView.fields,
  )
    .option('--state <state>', 'only those in this state', oneOf(bulkItemStates))
    .addHelpText('after', '\nExamples:\n  roomkeeper bulk items 4f9c… --state FAILED')
    .action(
      run(async (cli, id: string, { state, limit }: { state?: BulkItemState } & ListOptions) => {
        const server = await cli.connect()
        const rows = rowsOfPages(async (page, size) => {
          const query = { page, size, ...(state === undefined ? {} : { state }) }
          return (await server.call('bulkItems', { params: { id }, query })).body
        }, limit)
        await printList(itemView, rows, cli.output)
      }),
    )
}
