/** `roomkeeper rooms deleted`: lists deleted project rooms, and restores or purges them. */

import { type DeletedRoom, deletedRoom, type PurgedRoom, purgedRoom } from '@roomkeeper/contract'
import type { Command } from 'commander'
import { nonEmptyText } from '#arguments.ts'
import type { Run } from '#cli.ts'
import { addListOptions, type ListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { timeText, type View } from '#output/view.ts'
import { deletedRooms, purgedRooms } from './deleted-rooms.ts'
import { addPurgeCertificate, addPurgeDeletedRoom } from './purge-deleted-room.ts'
import { addRestoreDeletedRoom } from './restore-deleted-room.ts'

export function addDeletedRooms(rooms: Command, run: Run): void {
  const deleted = rooms.command('deleted').description('Deleted project rooms: bring them back, or purge them')
  addListDeletedRooms(deleted, run)
  addRestoreDeletedRoom(deleted, run)
  addPurgeDeletedRoom(deleted, run)
  addPurgeCertificate(deleted, run)
}

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

interface DeletedListOptions extends ListOptions {
  search?: string
  purged?: boolean
}

function addListDeletedRooms(deleted: Command, run: Run): void {
  addListOptions(deleted.command('list').alias('ls').description('List those that can come back, newest first'), [
    ...new Set([...deletedView.fields, ...purgedView.fields]),
  ])
    .option('-s, --search <text>', 'part of a name, of an e-mail address or of a company', nonEmptyText)
    .option('--purged', 'those of which nothing is left but a certificate, instead')
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper rooms deleted list\n  roomkeeper rooms deleted list --search fleet -o json',
    )
    .action(
      run(async (cli, { search = '', purged, limit }: DeletedListOptions) => {
        const server = await cli.connect()
        const output = cli.output
        if (purged === true) await printList(purgedView, purgedRooms(server, search, limit), output)
        else await printList(deletedView, deletedRooms(server, search, limit), output)
      }),
    )
}
