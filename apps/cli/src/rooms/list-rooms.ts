import { type ProjectRoom, type RoomField, roomFields } from '@roomkeeper/contract'
import { type Command, InvalidArgumentError } from 'commander'
import { addLimitOption, type LimitOption } from '#arguments/limit-option.ts'
import { connect } from '#connection/connect.ts'
import { usageFailure } from '#failure.ts'
import { outputOf } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import type { View } from '#output/view.ts'
import { listedRooms, type RoomOrder } from './listed-rooms.ts'
import { addQueryOptions, type RoomQueryOptions, roomQuery } from './query-options.ts'
import { roomView } from './room-view.ts'

interface ListOptions extends RoomQueryOptions, LimitOption {
  sort?: RoomOrder
  columns?: string[]
}

export function addListRooms(rooms: Command): void {
  addLimitOption(addQueryOptions(rooms.command('list').alias('ls').description('List project rooms')))
    .option('--sort <field>', 'such as companyName or expirationDate:desc (default: by name)', orderOf)
    .option('--columns <fields>', 'fields for table and CSV, joined by commas', (text: string) => text.split(','))
    .addHelpText(
      'after',
      `
Examples:
  roomkeeper rooms list --state SUSPENDED --region region-1
  roomkeeper rooms list --search 'example inc' -o json
  roomkeeper rooms list -f 'expirationDate<2027-01-31' --columns tenantName,expirationDate -o csv
  roomkeeper rooms list -q -f 'tenantName^=fleet' | roomkeeper bulk start backup --rooms-from - --yes`,
    )
    .action(async (options: ListOptions, command: Command) => {
      const view = options.columns === undefined ? roomView : viewOf(options.columns)
      const order = options.sort ?? { field: 'tenantName', direction: 'asc' }
      const server = await connect()
      const list = { query: roomQuery(options), order, limit: options.limit }
      await printList(view, listedRooms(server, list), outputOf(command))
    })
}

function orderOf(text: string): RoomOrder {
  const [field = '', direction = 'asc', ...more] = text.split(':')
  if (!(roomFields as readonly string[]).includes(field))
    throw new InvalidArgumentError(`Fields: ${roomFields.join(', ')}.`)
  if ((direction !== 'asc' && direction !== 'desc') || more.length > 0)
    throw new InvalidArgumentError('The direction is asc or desc.')
  return { field: field as RoomField, direction }
}

function viewOf(fields: string[]): View<ProjectRoom> {
  const unknown = fields.filter((field) => !roomView.fields.includes(field))
  if (unknown.length > 0) throw usageFailure(`There is no field ${unknown.join(', ')}.`, roomView.fields.join(', '))
  const columns = fields.map((field, rank) => ({
    title: field,
    rank,
    value: (room: ProjectRoom) => plainValue(room, field),
  }))
  return { ...roomView, fields, columns }
}

function plainValue(room: ProjectRoom, field: string) {
  const value = (room as Record<string, unknown>)[field]
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return value as string | number | boolean | null
}
