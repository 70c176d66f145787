/** `migrate list`, `migrate status` and `migrate stop`. */

import { type LiveMigration, liveMigration, type Region } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { addLimitOption, type LimitOption } from '#arguments/limit-option.ts'
import { connect } from '#connection/connect.ts'
import { isForPeople, outputOf } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import { timeText } from '#output/time-text.ts'
import type { View } from '#output/view.ts'
import { note } from '#terminal/say.ts'
import { migrationId } from './migration-id.ts'

function viewOf(regions: readonly Region[]): View<LiveMigration> {
  const nameOf = (id: number) => regions.find(({ regionId }) => regionId === id)?.regionName ?? String(id)
  return {
    name: ({ id }) => String(id),
    none: 'There are no configurations of live migrations.',
    fields: Object.keys(liveMigration.shape),
    columns: [
      { title: 'ID', rank: 0, value: ({ id }) => id },
      { title: 'FROM', rank: 1, value: ({ sourceRegion }) => nameOf(sourceRegion) },
      { title: 'TO', rank: 1, value: ({ targetRegion }) => nameOf(targetRegion) },
      { title: 'STATE', rank: 1, value: ({ state }) => state },
      { title: 'LAST RUN', rank: 2, value: ({ startDate }) => timeText(startDate) },
      { title: 'ROUTING', rank: 3, value: ({ routing }) => routing },
      { title: 'PARALLEL', rank: 4, value: ({ parallel }) => parallel },
    ],
  }
}

export function addShowMigrations(migrate: Command): void {
  addLimitOption(migrate.command('list').alias('ls').description('List the configurations of live migrations'))
    .addHelpText('after', '\nExamples:\n  roomkeeper migrate list')
    .action(async ({ limit }: LimitOption, command: Command) => {
      const server = await connect()
      const { body: regions } = await server.call('regions', {})
      const { body } = await server.call('liveMigrations', { query: {} })
      await printList(viewOf(regions), body.slice(0, limit), outputOf(command))
    })
  migrate
    .command('status')
    .argument('<migration>', 'id of the configuration', migrationId)
    .description('Show how far the newest run is, and its project rooms')
    .addHelpText('after', '\nExamples:\n  roomkeeper migrate status 1 -o json | jq .failed')
    .action(async (id: number, _options: object, command: Command) => {
      const { body } = await (await connect()).call('liveMigrationProgress', { params: { id } })
      if (body === null) return note('It has never run.')
      await printOne(body, body.operationId, outputOf(command))
    })
  migrate
    .command('stop')
    .argument('<migration>', 'id of the configuration', migrationId)
    .description('Begin no further project room; those under way are finished')
    .addHelpText('after', '\nExamples:\n  roomkeeper migrate stop 1')
    .action(async (id: number, _options: object, command: Command) => {
      const { body } = await (await connect()).call('stopLiveMigration', { body: { id } })
      const output = outputOf(command)
      if (isForPeople(output)) return note('It ends when the rooms under way are through.', 'green')
      await printOne(body, String(id), output)
    })
}
