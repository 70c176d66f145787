/** `bulk list`, `bulk get` and `bulk items`. */

import { type Bulk, type BulkItem, type BulkItemState, bulk, bulkItem, bulkItemStates } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { addLimitOption, type LimitOption } from '#arguments/limit-option.ts'
import { oneOf } from '#arguments/one-of.ts'
import { connect } from '#connection/connect.ts'
import { outputOf } from '#output/output-options.ts'
import { rowsOfPages } from '#output/pages.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import { timeText } from '#output/time-text.ts'
import type { View } from '#output/view.ts'

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

export function addShowBulks(bulks: Command): void {
  addLimitOption(bulks.command('list').alias('ls').description('List the bulks of the last 90 days, newest first'))
    .addHelpText('after', '\nExamples:\n  roomkeeper bulk list --limit 5')
    .action(async ({ limit }: LimitOption, command: Command) => {
      const server = await connect()
      const rows = rowsOfPages(
        async (page, size) => (await server.call('bulks', { query: { page, size } })).body,
        limit,
      )
      await printList(bulkView, rows, outputOf(command))
    })
  bulks
    .command('get <bulk>')
    .description('Show how far a bulk is')
    .addHelpText('after', '\nExamples:\n  roomkeeper bulk get 4f9c… -o json | jq .counts')
    .action(async (id: string, _options: object, command: Command) => {
      const { body } = await (await connect()).call('bulk', { params: { id } })
      await printOne(body, id, outputOf(command))
    })
  addLimitOption(bulks.command('items <bulk>').description('List the project rooms of a bulk, the failed ones first'))
    .option('--state <state>', 'only those in this state', oneOf(bulkItemStates))
    .addHelpText('after', '\nExamples:\n  roomkeeper bulk items 4f9c… --state FAILED')
    .action(async (id: string, { state, limit }: { state?: BulkItemState } & LimitOption, command: Command) => {
      const server = await connect()
      const rows = rowsOfPages(async (page, size) => {
        const query = { page, size, ...(state === undefined ? {} : { state }) }
        return (await server.call('bulkItems', { params: { id }, query })).body
      }, limit)
      await printList(itemView, rows, outputOf(command))
    })
}
