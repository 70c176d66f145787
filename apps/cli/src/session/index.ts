/** `roomkeeper login`, `logout` and `whoami`. */
import type { Command } from 'commander'
import { connect } from '#connection/connect.ts'
import { removeLogin } from '#connection/stored-login.ts'
import { outputOf } from '#output/output-options.ts'
import { printOne } from '#output/print-one.ts'
import { note } from '#terminal/say.ts'
import { addLogin } from './login.ts'

export function addSession(program: Command): void {
  addLogin(program)
  program
    .command('logout')
    .description('Forget the stored token')
    .addHelpText('after', '\nThe token itself goes on to count. Revoke it in the console, under your name.')
    .action(async () => {
      await removeLogin()
      note('The stored token is removed. Revoke it in the console if nobody else uses it.', 'green')
    })
  program
    .command('whoami')
    .description('Show who calls which server, and what the token may do')
    .addHelpText('after', '\nExamples:\n  roomkeeper whoami -o json | jq -r .role')
    .action(async (_options: object, command: Command) => {
      const server = await connect()
      const { body } = await server.call('whoCalls', {})
      await printOne({ url: server.login.url, ...body }, body.email, outputOf(command))
    })
}
