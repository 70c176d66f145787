import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { usageFailure } from '#failure.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { findRegion } from '#regions/index.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { readRoomsFile } from './read-rooms-file.ts'
import { draftOf, mergedFields, type RoomFields } from './room-fields.ts'
import { addRoomFlags, fieldsOfFlags, type LicenceFlags } from './room-flags.ts'

interface CreateOptions extends WaitOptions, LicenceFlags {
  region?: string
  from?: string
}

export function addCreateRoom(rooms: Command, run: Run): void {
  const command = rooms
    .command('create <room>')
    .description('Create a project room')
    .option('--region <region>', 'where, by name or id')
    .option('--from <file>', 'fields from a YAML or JSON file (- for stdin); flags win')
  addWaitOptions(addRoomFlags(command, 'creation'))
    .addHelpText(
      'after',
      `
Examples:
  roomkeeper rooms create fleet1 --product ARIS --edition basic --region region-1 --sap-number 4711 \\
    --customer-first-name Ada --customer-last-name King --customer-email ada@example.com \\
    --company-name 'Example, Inc.' --salesman-email sales@example.com --licence YABD=5 --wait
  roomkeeper rooms get fleet1 -o yaml | roomkeeper rooms create fleet2 --from - --sap-number 4712`,
    )
    .action(
      run(async (cli, name: string, options: CreateOptions) => {
        const server = await cli.connect()
        const wanted = {
          ...mergedFields(await fieldsFrom(cli.terminal, options.from), fieldsOfFlags(options)),
          tenantName: name,
        }
        const region = options.region ?? (wanted.region as string | number | undefined)
        const regionId = region === undefined ? undefined : (await findRegion(server, region)).regionId
        const answer = await server.call('createRoom', { body: draftOf(wanted, regionId) })
        await finishStart(cli, server, options, {
          doing: `Creating ${name}`,
          done: `${name} was created`,
          projectRoomName: name,
          operationId: answer.body.operationId,
        })
      }),
    )
}

/** @returns the fields of the one room in a file @throws Failure */
export async function fieldsFrom(terminal: Terminal, path: string | undefined): Promise<RoomFields> {
  if (path === undefined) return {}
  const rooms = await readRoomsFile(terminal, path)
  const [only] = rooms
  if (only === undefined || rooms.length > 1) throw usageFailure(`${path} holds ${rooms.length} rooms instead of one.`)
  return only
}
