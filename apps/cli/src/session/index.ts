/** `roomkeeper login`, `logout`, `whoami` and `profiles`. */
import { whoCalls } from '@roomkeeper/contract'
import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { removeLogin } from '#connection/stored-login.ts'
import { addJsonOption } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import { addLogin } from './login.ts'
import { addProfiles } from './profiles.ts'

export function addSession(program: Command, run: Run): void {
  addLogin(program, run)
  addProfiles(program, run)
  program
    .command('logout')
    .description('Forget the stored token of the current profile, or of --profile')
    .addHelpText('after', '\nThe token itself stays valid. Revoke it in the console, under your name.')
    .action(
      run(async (cli) => {
        await removeLogin(cli.terminal, cli.profile)
        cli.terminal.note('The stored token is removed. Revoke it in the console if it is no longer needed.', 'green')
      }),
    )
  addJsonOption(program.command('whoami').description('Show who calls which server, and what the token may do'), [
    'url',
    ...Object.keys(whoCalls.shape),
  ])
    .addHelpText('after', '\nExamples:\n  roomkeeper whoami -o json | jq -r .role')
    .action(
      run(async (cli) => {
        const server = await cli.connect()
        const { body } = await server.call('whoCalls', {})
        await printOne({ url: server.connection.login.url, ...body }, body.email, cli.output)
      }),
    )
}
