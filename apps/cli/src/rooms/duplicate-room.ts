import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { findRegion } from '#regions/index.ts'
import { draftOf, duplicateOf, mergedFields } from './room-fields.ts'
import { addRoomFlags, fieldsOfFlags, type LicenceFlags } from './room-flags.ts'

interface DuplicateOptions extends WaitOptions, LicenceFlags {
  name?: string
  region?: string
}

export function addDuplicateRoom(rooms: Command, run: Run): void {
  const command = rooms
    .command('duplicate <room>')
    .description('Create an empty project room with the licences, contacts and region of another one')
    .option('--name <name>', 'of the new room; by default one is made from the company')
    .option('--region <region>', 'another one, by name or id')
  addWaitOptions(addRoomFlags(command, 'creation'))
    .addHelpText(
      'after',
      `
Examples:
  roomkeeper rooms duplicate fleet1 --sap-number 4712 --wait
  roomkeeper rooms duplicate fleet1 --name fleet2 --sap-number 4712 --licence YABD=10`,
    )
    .action(
      run(async (cli, room: string, options: DuplicateOptions) => {
        const server = await cli.connect()
        const { body: original } = await server.call('draftDuplicate', { body: { projectRoom: room } })
        const wanted = mergedFields(duplicateOf(original, options.subLicence), fieldsOfFlags(options))
        const name = options.name ?? original.proposedName
        const region =
          options.region === undefined ? original.region : (await findRegion(server, options.region)).regionId
        const answer = await server.call('createRoom', { body: draftOf({ ...wanted, tenantName: name }, region) })
        await finishStart(cli, server, options, {
          doing: `Creating ${name} like ${room}`,
          done: `${name} was created`,
          projectRoomName: name,
          operationId: answer.body.operationId,
        })
      }),
    )
}
