/** Chooses server and token: the environment wins over what `login` has stored. */
import { usageFailure } from '#failure.ts'
import type { Terminal } from '#terminal/terminal.ts'
import { type Login, loginOf, readLogins, tokenShape } from './stored-login.ts'

/** @throws Failure when the user has not signed in */
export async function chooseLogin(terminal: Terminal, profile?: string): Promise<Login> {
  const { env } = terminal
  const { ROOMKEEPER_URL: url = '', ROOMKEEPER_TOKEN: token = '' } = env
  if (url !== '' && token !== '' && profile !== undefined)
    throw usageFailure(
      `ROOMKEEPER_URL and ROOMKEEPER_TOKEN are set, and win over the profile ${profile}.`,
      'Unset them, or leave --profile out.',
    )
  if (token !== '' && profile !== undefined)
    throw usageFailure(
      `ROOMKEEPER_TOKEN is set, and would win over the token of the profile ${profile}.`,
      'Unset it, or leave --profile out.',
    )
  if (url !== '' && token !== '') return { url: serverUrl(url, env), token: wellFormedToken(token) }
  const logins = await readLogins(terminal)
  if (token !== '' && Object.keys(logins.profiles).length > 1)
    throw usageFailure('Please set ROOMKEEPER_URL, too: the token belongs to one of several servers.')
  const stored = loginOf(logins, profile)
  if (stored !== null) checkTransport(stored.url, env)
  if (token !== '' && stored !== null) return { url: stored.url, token: wellFormedToken(token) }
  if (token !== '') throw usageFailure('Please set ROOMKEEPER_URL, too.')
  // The stored token belongs to its server: no other one may see it.
  if (url !== '' && stored?.url !== serverUrl(url, env))
    throw usageFailure('Please set ROOMKEEPER_TOKEN, too: the stored token belongs to another server.')
  if (stored === null)
    throw usageFailure('You are not signed in.', "Run 'roomkeeper login', or set ROOMKEEPER_URL and ROOMKEEPER_TOKEN.")
  return stored
}

/** Never shows what was given: it may be a token, or hold a password. @returns without a slash at its end @throws Failure */
export function serverUrl(given: string, env: NodeJS.ProcessEnv): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw usageFailure('This is not the address of a server. It looks like https://rooms.example.com.')
  const address = url.origin + url.pathname.replace(/\/+$/, '')
  if (url.search !== '' || url.hash !== '')
    throw usageFailure(`The address of a server has nothing after its path, such as ? or #: ${address}`)
  checkTransport(address, env)
  return address
}

/** Without TLS, anyone on the network path can read the token. @throws Failure */
function checkTransport(address: string, env: NodeJS.ProcessEnv): void {
  const url = new URL(address)
  const { protocol, origin, hostname } = url
  const isThisMachine = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
  if (protocol === 'https:' || env.ROOMKEEPER_ALLOW_HTTP === '1') return
  if (isThisMachine && !usesProxy(url, env)) return
  if (isThisMachine)
    throw usageFailure(
      `Without https, the proxy of HTTP_PROXY can read the token on its way to ${origin}.`,
      'Call it localhost and set NO_PROXY=localhost, or unset NODE_USE_ENV_PROXY.',
    )
  const message = `Without https, others on the way to ${origin} can read the token.`
  throw usageFailure(message, 'If you trust the network, set ROOMKEEPER_ALLOW_HTTP=1.')
}

/**
 * Whether Node sends a call without TLS through a proxy, which then reads it, as environment and options say. Of
 * NO_PROXY, only what means the same to all of Node is believed: of addresses such as [::1], `fetch` and `node:http` want
 * different spellings.
 */
function usesProxy({ hostname, host }: URL, env: NodeJS.ProcessEnv): boolean {
  const isOn = isSet(env.NODE_USE_ENV_PROXY) || (env.NODE_OPTIONS ?? '').split(/\s+/).includes('--use-env-proxy')
  if (!isOn || !(isSet(env.http_proxy) || isSet(env.HTTP_PROXY))) return false
  const excepted = (env.no_proxy ?? env.NO_PROXY ?? '').toLowerCase().split(/[\s,]+/)
  const spellings = hostname.startsWith('[') ? ['*'] : ['*', hostname, host]
  return !spellings.some((each) => excepted.includes(each))
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0'
}

/** Never shows what was given: it may be a secret with a mistake in it. @throws Failure */
export function wellFormedToken(given: string): string {
  const token = given.trim()
  if (tokenShape.test(token)) return token
  throw usageFailure('This is not an API token. Make one in the console, under your name.')
}
