/** `roomkeeper regions`. */

import { type Region, region } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { addLimitOption, type LimitOption } from '#arguments/limit-option.ts'
import { connect } from '#connection/connect.ts'
import { outputOf } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import type { View } from '#output/view.ts'
import { findRegion } from './find-region.ts'

const regionView: View<Region> = {
  name: ({ regionName }) => regionName,
  none: 'There are no regions.',
  fields: Object.keys(region.shape),
  columns: [
    { title: 'NAME', rank: 0, value: ({ regionName }) => regionName },
    { title: 'ID', rank: 1, value: ({ regionId }) => regionId },
    {
      title: 'STATE',
      rank: 2,
      value: ({ state }) => state,
      colour: ({ state }) => (state === 'enabled' ? 'green' : 'yellow'),
    },
    {
      title: 'HEALTH',
      rank: 3,
      value: ({ health }) => health,
      colour: ({ health }) => (health === null || health === 'answers' ? null : 'red'),
    },
    { title: 'ROOMS', rank: 4, value: ({ numberOfProjectRooms }) => numberOfProjectRooms },
    { title: 'MOST', rank: 5, value: ({ maxNumOfTenants }) => (maxNumOfTenants === -1 ? null : maxNumOfTenants) },
    { title: 'PRODUCTS', rank: 6, value: ({ productVersion }) => productVersion.join(', ') },
    { title: 'ADDRESS', rank: 7, value: ({ regionIP }) => regionIP },
    { title: 'VERSION', rank: 8, value: ({ softwareVersion }) => softwareVersion },
  ],
}

export function addRegions(program: Command): void {
  const regions = program.command('regions').alias('region').description('Regions: the servers that hold project rooms')
  addLimitOption(regions.command('list').alias('ls').description('List all regions'))
    .addHelpText('after', '\nExamples:\n  roomkeeper regions list')
    .action(async ({ limit }: LimitOption, command: Command) => {
      const { body } = await (await connect()).call('regions', {})
      await printList(regionView, body.slice(0, limit), outputOf(command))
    })
  regions
    .command('get <region>')
    .description('Show a region, by name or id')
    .addHelpText('after', '\nExamples:\n  roomkeeper regions get region-1 -o yaml')
    .action(async (given: string, _options: object, command: Command) => {
      const found = await findRegion(await connect(), given)
      await printOne(found, found.regionName, outputOf(command))
    })
}
