import type { Command } from 'commander'
import type { Run } from '#cli.ts'
import { serverUrl, wellFormedToken } from '#connection/choose-login.ts'
import { connectAs } from '#connection/connect.ts'
import { type Login, loginTarget, storeLogin } from '#connection/stored-login.ts'
import { usageFailure } from '#failure.ts'
import { ask, askSecret } from '#terminal/ask.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { warnAboutEnvironment } from './profiles.ts'

interface LoginOptions {
  url?: string
  withToken?: boolean
}

export function addLogin(program: Command, run: Run): void {
  program
    .command('login')
    .description('Sign in with an API token, which is stored for this user, as the current profile or as --profile')
    .option('--url <url>', 'address of the server (default: ROOMKEEPER_URL)')
    .option('--with-token', 'read the token from stdin instead of asking for it')
    .addHelpText(
      'after',
      `
Make the token in the console, under your name. It is never an argument: other users of the machine can
read those.

Examples:
  roomkeeper login
  roomkeeper login --url https://rooms.example.com --with-token < token.txt
  roomkeeper login --profile staging`,
    )
    .action(
      run(async (cli, options: LoginOptions) => {
        const { terminal, profile } = cli
        const { name, stored } = await loginTarget(terminal, profile)
        const url = await urlOf(terminal, options, { profile, stored })
        if (profile === undefined && stored !== null && stored.url !== url)
          throw usageFailure(
            `The profile ${name} is at ${stored.url}.`,
            'Store the other server as a profile of its own: --profile NAME.',
          )
        const token = await tokenOf(terminal, options, url)
        const login = { url, token }
        const { body: caller } = await connectAs(terminal, login).call('whoCalls', {})
        const { path, isCurrent } = await storeLogin(terminal, name, login)
        terminal.note(`Signed in to ${url} as ${caller.email} (${caller.role}).`, 'green')
        if (caller.token !== null) terminal.note(`The token ${caller.token.name} ends at ${caller.token.expiresAt}.`)
        terminal.note(`Stored as ${name} in ${path}`, 'dim')
        if (!isCurrent) terminal.note(`It is not the current profile: roomkeeper profiles use ${name}`)
        warnAboutEnvironment(terminal)
      }),
    )
}

interface Place {
  profile: string | undefined
  stored: Login | null
}

/** A profile has an address of its own: ROOMKEEPER_URL, which may be of another server, does not count for it. */
async function urlOf(terminal: Terminal, { url }: LoginOptions, { profile, stored }: Place): Promise<string> {
  const inEnvironment = profile === undefined ? terminal.env.ROOMKEEPER_URL : undefined
  const given = url ?? inEnvironment ?? ''
  if (given !== '') return serverUrl(given, terminal.env)
  if (!terminal.isInteractive && profile !== undefined && stored !== null) return serverUrl(stored.url, terminal.env)
  if (!terminal.isInteractive) throw usageFailure('Please give --url.')
  const answer = await ask(
    terminal,
    stored === null ? 'Address of the server: ' : `Address of the server [${stored.url}]: `,
  )
  return serverUrl(answer.trim() === '' && stored !== null ? stored.url : answer.trim(), terminal.env)
}

async function tokenOf(terminal: Terminal, { withToken }: LoginOptions, url: string): Promise<string> {
  if (withToken === true) return wellFormedToken(await terminal.read('-'))
  if (!terminal.isInteractive) throw usageFailure('Please give --with-token, and the token on stdin.')
  return wellFormedToken(await askSecret(terminal, `API token for ${url} (it is not shown): `))
}
