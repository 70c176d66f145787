/** `roomkeeper regions`. */
import { type Region, region, shortened } from '@roomkeeper/contract'
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import type { Server } from '#connection/connect.ts'
import { Failure } from '#failure.ts'
import { addJsonOption, addListOptions, type ListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import type { View } from '#output/view.ts'

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

export function addRegions(program: Command, run: Run): void {
  const regions = program.command('regions').alias('region').description('Regions: the servers that hold project rooms')
  addListOptions(regions.command('list').alias('ls').description('List all regions'), regionView.fields)
    .addHelpText('after', '\nExamples:\n  roomkeeper regions list')
    .action(
      run(async (cli, { limit }: ListOptions) => {
        const { body } = await (await cli.connect()).call('regions', {})
        await printList(regionView, body.slice(0, limit), cli.output)
      }),
    )
  addJsonOption(regions.command('get <region>').description('Show a region, by name or id'), regionView.fields)
    .addHelpText('after', '\nExamples:\n  roomkeeper regions get region-1 -o yaml')
    .action(
      run(async (cli, given: string) => {
        const found = await findRegion(await cli.connect(), given)
        await printOne(found, found.regionName, cli.output)
      }),
    )
}

/** @param given its name or its id @throws Failure that names those there are */
export async function findRegion(server: Server, given: string | number): Promise<Region> {
  const { body: regions } = await server.call('regions', {})
  return regionIn(regions, given)
}

/** @throws Failure */
export function regionIn(regions: readonly Region[], given: string | number): Region {
  const byName = regions.find(({ regionName }) => regionName === given)
  const found = byName ?? regions.find(({ regionId }) => String(regionId) === String(given))
  if (found !== undefined) return found
  const known = regions.map(({ regionName }) => regionName).join(', ')
  const hints = [known === '' ? 'There are none at all.' : `Regions: ${known}`]
  throw new Failure('refused', `There is no region ${shortened(String(given))}.`, { hints })
}
