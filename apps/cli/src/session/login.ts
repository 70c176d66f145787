import type { Command } from 'commander'
import { serverUrl, wellFormedToken } from '#connection/choose-login.ts'
import { connectAs } from '#connection/connect.ts'
import { readLogin, storeLogin } from '#connection/stored-login.ts'
import { usageFailure } from '#failure.ts'
import { ask, askSecret, isInteractive } from '#terminal/ask.ts'
import { readInput } from '#terminal/read-input.ts'
import { note, say } from '#terminal/say.ts'

interface LoginOptions {
  url?: string
  withToken?: boolean
}

export function addLogin(program: Command): void {
  program
    .command('login')
    .description('Sign in with an API token, which is stored for this user')
    .option('--url <url>', 'address of the server (default: ROOMKEEPER_URL)')
    .option('--with-token', 'read the token from stdin instead of asking for it')
    .addHelpText(
      'after',
      `
Make the token in the console, under your name. It is never an argument: everybody on the machine can
read those.

Examples:
  roomkeeper login
  roomkeeper login --url https://rooms.example.com --with-token < token.txt`,
    )
    .action(async (options: LoginOptions) => {
      const url = await urlOf(options)
      const token = await tokenOf(options)
      const login = { url, token }
      const { body: caller } = await connectAs(login).call('whoCalls', {})
      const path = await storeLogin(login)
      note(`Signed in to ${url} as ${caller.email} (${caller.role}).`, 'green')
      if (caller.token !== null) note(`The token ${caller.token.name} ends at ${caller.token.expiresAt}.`)
      note(`Stored in ${path}`, 'dim')
      for (const name of ['ROOMKEEPER_URL', 'ROOMKEEPER_TOKEN'])
        if ((process.env[name] ?? '') !== '') say(`${name} is set, and wins over what is stored.`, 'yellow')
    })
}

async function urlOf({ url }: LoginOptions): Promise<string> {
  const given = url ?? process.env.ROOMKEEPER_URL ?? ''
  if (given !== '') return serverUrl(given)
  if (!isInteractive()) throw usageFailure('Please give --url.')
  const last = await readLogin().catch(() => null)
  const answer = await ask(last === null ? 'Address of the server: ' : `Address of the server [${last.url}]: `)
  return serverUrl(answer.trim() === '' && last !== null ? last.url : answer.trim())
}

async function tokenOf({ withToken }: LoginOptions): Promise<string> {
  if (withToken === true) return wellFormedToken(await readInput('-'))
  if (!isInteractive()) throw usageFailure('Please give --with-token, and the token on stdin.')
  return wellFormedToken(await askSecret('API token (it is not shown): '))
}
