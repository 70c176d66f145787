/** `rooms list`, `rooms get` and `rooms export`. */
import {
  type ProjectRoom,
  type ProjectRoomState,
  projectRoom,
  type RoomField,
  roomFields,
  routes,
} from '@roomkeeper/contract'
import { type Command, InvalidArgumentError } from 'commander'
import type { Run } from '#cli.ts'
import { printDownload } from '#connection/receive-file.ts'
import { addJsonOption, addListOptions, type ListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { printOne } from '#output/print-one.ts'
import { timeText, type View } from '#output/view.ts'
import type { Colour } from '#terminal/terminal.ts'
import { findRoom } from './find-room.ts'
import { listedRooms, type RoomOrder } from './listed-rooms.ts'
import { addQueryOptions, type RoomQueryOptions, roomQuery } from './query-options.ts'

interface RoomListOptions extends RoomQueryOptions, ListOptions {
  sort?: RoomOrder
}

export function addListRooms(rooms: Command, run: Run): void {
  addListOptions(addQueryOptions(rooms.command('list').alias('ls').description('List project rooms')), roomView.fields)
    .option('--sort <field>', 'such as companyName or expirationDate:desc (default: by name)', orderOf)
    .addHelpText(
      'after',
      `
Examples:
  roomkeeper rooms list --state SUSPENDED --region region-1
  roomkeeper rooms list --search 'example inc' -o json
  roomkeeper rooms list -f 'expirationDate<2027-01-31' --columns tenantName,expirationDate -o csv
  roomkeeper rooms list --json tenantName,licenses
  roomkeeper rooms list --label VIP,Pilot -f hasPinnedNote=true
  roomkeeper rooms list -q -f 'tenantName^=fleet' | roomkeeper bulk start backup --rooms-from - --yes`,
    )
    .action(
      run(async (cli, options: RoomListOptions) => {
        const order = options.sort ?? { field: 'tenantName', direction: 'asc' }
        const server = await cli.connect()
        const list = { query: roomQuery(options), order, limit: options.limit }
        await printList(roomView, listedRooms(server, list), cli.output)
      }),
    )
}

function orderOf(text: string): RoomOrder {
  const [field = '', direction = 'asc', ...more] = text.split(':')
  if (!(roomFields as readonly string[]).includes(field))
    throw new InvalidArgumentError(`Fields: ${roomFields.join(', ')}.`)
  if ((direction !== 'asc' && direction !== 'desc') || more.length > 0)
    throw new InvalidArgumentError('The direction is asc or desc.')
  return { field: field as RoomField, direction }
}

export function addGetRoom(rooms: Command, run: Run): void {
  addJsonOption(rooms.command('get <room>').description('Show everything about a project room'), roomView.fields)
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper rooms get fleet1\n  roomkeeper rooms get fleet1 --json tenantName,licenses',
    )
    .action(
      run(async (cli, name: string) => {
        const room = await findRoom(await cli.connect(), name)
        await printOne(room, room.tenantName, cli.output)
      }),
    )
}

export function addExportRooms(rooms: Command, run: Run): void {
  addQueryOptions(rooms.command('export').description('Write project rooms as CSV, as the console exports them'))
    .option('--to <file>', 'write to this file; it is there whole or not at all (default: stdout)')
    .addHelpText(
      'after',
      `
Examples:
  roomkeeper rooms export --to rooms.csv
  roomkeeper rooms export --state ERROR | column -s, -t`,
    )
    .action(
      run(async (cli, options: RoomQueryOptions & { to?: string }) => {
        const server = await cli.connect()
        const query = { ...roomQuery(options), order_by: 'tenantName', order_dir: 'asc' as const }
        const { body } = await server.open('exportRooms', { query })
        await printDownload(cli.terminal, { body, mediaType: routes.exportRooms.stream, to: options.to })
      }),
    )
}

const roomView: View<ProjectRoom> = {
  name: ({ tenantName }) => tenantName,
  none: 'No project room matches.',
  fields: Object.keys(projectRoom.shape),
  columns: [
    { title: 'NAME', rank: 0, value: ({ tenantName }) => tenantName },
    {
      title: 'STATE',
      rank: 1,
      value: ({ projectRoomState }) => projectRoomState,
      colour: ({ projectRoomState }) => colourOf(projectRoomState),
    },
    { title: 'PRODUCT', rank: 3, value: ({ product }) => product },
    { title: 'EDITION', rank: 4, value: ({ edition }) => edition },
    { title: 'REGION', rank: 2, value: ({ regionName }) => regionName },
    { title: 'COMPANY', rank: 5, value: ({ companyName }) => companyName },
    { title: 'CUSTOMER', rank: 6, value: ({ customerEmail }) => customerEmail },
    { title: 'VALID UNTIL', rank: 7, value: ({ expirationDate }) => expirationDate },
    { title: 'LAST BACKUP', rank: 8, value: ({ lastBackupAt }) => timeText(lastBackupAt) },
    { title: 'LABELS', rank: 9, value: ({ labels }) => labels.join(', ') },
    { title: 'OPERATION', rank: 10, value: ({ runningOperation }) => runningOperation?.processType },
  ],
}

function colourOf(state: ProjectRoomState): Colour | null {
  switch (state) {
    case 'DEFAULT':
      return 'green'
    case 'ERROR':
      return 'red'
    case 'SUSPENDED':
    case 'DISABLED_REGION':
      return 'yellow'
    case 'IN_PROGRESS':
    case 'MARKED_FOR_DELETION':
      return 'cyan'
    // A newer server may have others.
    default:
      return null
  }
}

export function countOfRooms(count: number): string {
  return count === 1 ? '1 project room' : `${count} project rooms`
}
