/** `rooms deleted purge` and `rooms deleted certificate`. */
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { printDownload } from '#connection/receive-file.ts'
import { finishStart } from '#operations/finish-start.ts'
import { addWaitOptions, type WaitOptions } from '#operations/wait-options.ts'
import { confirmOrFail } from '#terminal/ask.ts'
import { findDeletedRoom, findPurgedRoom } from './deleted-rooms.ts'

export function addPurgeDeletedRoom(deleted: Command, run: Run): void {
  const command = deleted
    .command('purge <deleted>')
    .description('Remove all that is left of a deleted project room, by its name or id, for good')
    .option('-y, --yes', 'do not ask')
  addWaitOptions(command)
    .addHelpText(
      'after',
      `
Its backups are removed from every store and it can never come back. Then everything is looked for again,
and a certificate says what was removed.

Examples:
  roomkeeper rooms deleted purge fleet1 --wait
  roomkeeper rooms deleted certificate fleet1 --to fleet1.json`,
    )
    .action(
      run(async (cli, given: string, options: WaitOptions & { yes?: boolean }) => {
        const server = await cli.connect()
        const { id, projectRoomName } = await findDeletedRoom(server, given)
        const question = `Type ${projectRoomName} to remove all that is left of it, for good:`
        await confirmOrFail(server, { question, typed: projectRoomName, yes: options.yes === true })
        const answer = await server.call('purgeDeletedRoom', { params: { id }, body: { typedName: projectRoomName } })
        await finishStart(cli, server, options, {
          doing: `Purging ${projectRoomName}`,
          done: `Nothing is left of ${projectRoomName}`,
          projectRoomName,
          operationId: answer.body.operationId,
        })
      }),
    )
}

export function addPurgeCertificate(deleted: Command, run: Run): void {
  deleted
    .command('certificate <purged>')
    .description('Write the certificate of a purge, by the name or id of the project room')
    .option('--to <file>', 'write to this file; it is there whole or not at all (default: stdout)')
    .addHelpText(
      'after',
      `
JSON as the server writes it, so that the audit trail can vouch for it:
  npm run audit:verify -- --certificate fleet1.json

Examples:
  roomkeeper rooms deleted certificate fleet1 --to fleet1.json`,
    )
    .action(
      run(async (cli, given: string, { to }: { to?: string }) => {
        const server = await cli.connect()
        const { id } = await findPurgedRoom(server, given)
        const { body } = await server.open('purgeCertificate', { params: { id } })
        await printDownload(cli.terminal, { body, mediaType: 'application/json', to })
      }),
    )
}
