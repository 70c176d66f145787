/** `roomkeeper backups`. */
import { type RoomBackup, roomBackup } from '@roomkeeper/contract'
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { receiveFile } from '#connection/receive-file.ts'
import { Failure } from '#failure.ts'
import { addListOptions, type ListOptions } from '#output/output-options.ts'
import { printList } from '#output/print-list.ts'
import { timeText, type View } from '#output/view.ts'

const backupView: View<RoomBackup> = {
  name: ({ id }) => id,
  none: 'This project room has no backup.',
  fields: Object.keys(roomBackup.shape),
  columns: [
    { title: 'ID', rank: 0, value: ({ id }) => id },
    { title: 'MADE', rank: 1, value: ({ createdAt }) => timeText(createdAt) },
    { title: 'KIND', rank: 2, value: ({ kind }) => kind },
    { title: 'BYTES', rank: 3, value: ({ size }) => size },
    { title: 'RESTORED IN A TEST', rank: 4, value: ({ verifiedAt }) => timeText(verifiedAt) },
    {
      title: 'BAD',
      rank: 5,
      value: ({ isKnownBad }) => isKnownBad,
      colour: ({ isKnownBad }) => (isKnownBad === true ? 'red' : null),
    },
    { title: 'DAMAGED INDEXES', rank: 7, value: ({ hasDamagedIndexes }) => hasDamagedIndexes },
    { title: 'LOCATION', rank: 6, value: ({ location }) => location },
  ],
}

export function addBackups(program: Command, run: Run): void {
  const backups = program.command('backups').description('Backups of project rooms')
  addListOptions(
    backups.command('list <room>').alias('ls').description("List a project room's backups, newest first"),
    backupView.fields,
  )
    .addHelpText('after', '\nExamples:\n  roomkeeper backups list fleet1 --limit 1 -q')
    .action(
      run(async (cli, room: string, { limit }: ListOptions) => {
        const server = await cli.connect()
        const { body } = await server.call('roomBackups', { query: { projectRoom: room } })
        await printList(backupView, body.slice(0, limit), cli.output)
      }),
    )
  backups
    .command('download <backup>')
    .description('Write the .zip of a backup in the backup store')
    .requiredOption('--to <file>', 'it is there whole or not at all')
    .addHelpText(
      'after',
      '\nExamples:\n  roomkeeper backups download "$(roomkeeper backups list fleet1 -l 1 -q)" --to fleet1.zip',
    )
    .action(
      run(async (cli, id: string, { to }: { to: string }) => {
        const { body } = await (await cli.connect()).open('roomBackupContent', { params: { id } })
        if (body === null) throw new Failure('unreachable', 'The server sent nothing.')
        await receiveFile(cli.terminal, body, to)
        cli.terminal.note(`Written: ${to}`, 'green')
      }),
    )
}
