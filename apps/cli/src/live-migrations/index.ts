/** `roomkeeper migrate`: live migrations. */

import { type LiveMigration, liveMigration, type Region, routes } from '@roomkeeper/contract'
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { addJsonOption, addListOptions, isForPeople, type ListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import { timeText, type View } from '#output/view.ts'
import { addStartMigration, migrationId } from './start-migration.ts'

export function addMigrate(program: Command, run: Run): void {
  const migrate = program.command('migrate').description('Live migrations: project rooms move between regions')
  addShowMigrations(migrate, run)
  addStartMigration(migrate, run)
}

const migrationFields = Object.keys(liveMigration.shape)
const progressFields = Object.keys(routes.liveMigrationProgress.answers[200].unwrap().shape)

function viewOf(regions: readonly Region[]): View<LiveMigration> {
  const nameOf = (id: number) => regions.find(({ regionId }) => regionId === id)?.regionName ?? String(id)
  return {
    name: ({ id }) => String(id),
    none: 'There are no configurations of live migrations.',
    fields: migrationFields,
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

function addShowMigrations(migrate: Command, run: Run): void {
  addListOptions(
    migrate.command('list').alias('ls').description('List the configurations of live migrations'),
    migrationFields,
  )
    .addHelpText('after', '\nExamples:\n  roomkeeper migrate list')
    .action(
      run(async (cli, { limit }: ListOptions) => {
        const server = await cli.connect()
        const { body: regions } = await server.call('regions', {})
        const { body } = await server.call('liveMigrations', { query: {} })
        await printList(viewOf(regions), body.slice(0, limit), cli.output)
      }),
    )
  addJsonOption(migrate.command('status'), progressFields)
    .argument('<migration>', 'id of the configuration', migrationId)
    .description('Show how far the newest run is, and its project rooms')
    .addHelpText('after', '\nExamples:\n  roomkeeper migrate status 1 -o json | jq .failed')
    .action(
      run(async (cli, id: number) => {
        const { body } = await (await cli.connect()).call('liveMigrationProgress', { params: { id } })
        if (body === null) return cli.terminal.note('It has never run.')
        await printOne(body, body.operationId, cli.output)
      }),
    )
  migrate
    .command('stop')
    .argument('<migration>', 'id of the configuration', migrationId)
    .description('Begin no further project room; those under way are finished')
    .addHelpText('after', '\nExamples:\n  roomkeeper migrate stop 1')
    .action(
      run(async (cli, id: number) => {
        const { body } = await (await cli.connect()).call('stopLiveMigration', { body: { id } })
        const output = cli.output
        if (isForPeople(output)) return cli.terminal.note('It ends when the rooms under way are through.', 'green')
        await printOne(body, String(id), output)
      }),
    )
}
