import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { findRegion } from '#regions/index.ts'
import { findDeletedRoom } from './deleted-rooms.ts'

interface RestoreOptions extends WaitOptions {
  region?: string
  name?: string
}

export function addRestoreDeletedRoom(deleted: Command, run: Run): void {
  const command = deleted
    .command('restore <deleted>')
    .description('Bring a deleted project room back as it was, by its name or id')
    .option('--region <region>', 'in this region, by name or id, instead of its old one')
    .option('--name <name>', 'under another name, where the old one is taken')
  addWaitOptions(command)
    .addHelpText(
      'after',
      `
It comes back from its last backup, with licences, contacts, users and databases.

Examples:
  roomkeeper rooms deleted restore fleet1 --wait
  roomkeeper rooms deleted restore fleet1 --name fleet1b --region region-2`,
    )
    .action(
      run(async (cli, given: string, options: RestoreOptions) => {
        const { region, name } = options
        const server = await cli.connect()
        const { id, projectRoomName } = await findDeletedRoom(server, given)
        const body = {
          ...(region === undefined ? {} : { region: (await findRegion(server, region)).regionId }),
          ...(name === undefined ? {} : { tenantName: name }),
        }
        const answer = await server.call('restoreDeletedRoom', { params: { id }, body })
        const newName = name ?? projectRoomName
        await finishStart(cli, server, options, {
          doing: `Bringing ${newName} back`,
          done: `${newName} is back`,
          projectRoomName: newName,
          operationId: answer.body.operationId,
        })
      }),
    )
}
