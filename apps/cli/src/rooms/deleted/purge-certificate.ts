import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { printDownload } from '#connection/receive-file.ts'
import { findPurgedRoom } from './deleted-rooms.ts'

export function addPurgeCertificate(deleted: Command): void {
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
    .action(async (given: string, { to }: { to?: string }) => {
      const server = await connect()
      const { id } = await findPurgedRoom(server, given)
      const { body } = await server.open('purgeCertificate', { params: { id } })
      await printDownload({ body, mediaType: 'application/json', to })
    })
}
