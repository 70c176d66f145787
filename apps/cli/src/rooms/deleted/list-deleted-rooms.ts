import { type DeletedRoom, deletedRoom, type PurgedRoom, purgedRoom } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { addLimitOption, type LimitOption } from '#arguments/limit-option.ts'
import { someText } from '#arguments/some-text.ts'
import { connect } from '#connection/connect.ts'
import { outputOf } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { timeText } from '#output/time-text.ts'
import type { View } from '#output/view.ts'
import { deletedRooms, purgedRooms } from './deleted-rooms.ts'

const deletedView: View<DeletedRoom> = {
  // Several may have had the same name.
  name: ({ id }) => id,
  none: 'No deleted project room can come back.',
  fields: Object.keys(deletedRoom.shape),
  columns: [
    { title: 'NAME', rank: 0, value: ({ projectRoomName }) => projectRoomName },
    { title: 'ID', rank: 2, value: ({ id }) => id },
    {
      title: 'STATE',
      rank: 1,
      value: ({ state }) => state,
      colour: ({ state }) => (state === 'PURGE_FAILED' ? 'red' : null),
    },
    { title: 'DELETED', rank: 4, value: ({ deletedAt }) => timeText(deletedAt) },
    { title: 'KEPT UNTIL', rank: 3, value: ({ keptUntil }) => timeText(keptUntil) },
    { title: 'BACKUP', rank: 5, value: ({ backup }) => (backup === null ? 'none' : timeText(backup.createdAt)) },
    { title: 'COMPANY', rank: 6, value: ({ companyName }) => companyName },
    { title: 'BY', rank: 7, value: ({ deletedBy }) => deletedBy },
  ],
}

const purgedView: View<PurgedRoom> = {
  name: ({ id }) => id,
  none: 'No such project room was purged.',
  fields: Object.keys(purgedRoom.shape),
  columns: [
    { title: 'NAME', rank: 0, value: ({ projectRoomName }) => projectRoomName },
    { title: 'ID', rank: 1, value: ({ id }) => id },
    { title: 'PURGED', rank: 2, value: ({ purgedAt }) => timeText(purgedAt) },
    { title: 'COMPANY', rank: 3, value: ({ companyName }) => companyName },
    { title: 'BY', rank: 4, value: ({ purgedBy }) => purgedBy },
  ],
}

interface ListOptions extends LimitOption {
  search?: string
  purged?: boolean
}

export function addListDeletedRooms(deleted: Command): void {
  addLimitOption(deleted.command('list').alias('ls').description('List those that can come back, newest first'))
    .option('-s, --search <text>', 'part of a name, of an e-mail address or of a company', someText)
    .option('--purged', 'those of which nothing is left but a certificate, instead')
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper rooms deleted list\n  roomkeeper rooms deleted list --search fleet -o json',
    )
    .action(async ({ search = '', purged, limit }: ListOptions, command: Command) => {
      const server = await connect()
      const output = outputOf(command)
      if (purged === true) await printList(purgedView, purgedRooms(server, search, limit), output)
      else await printList(deletedView, deletedRooms(server, search, limit), output)
    })
}
