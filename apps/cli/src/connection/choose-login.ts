/** Which server is called with which token: the environment wins over what `login` has stored. */
import { usageFailure } from '#failure.ts'
import { type Login, readLogin } from './stored-login.ts'
import { usesProxy } from './uses-proxy.ts'

/** @throws Failure when the user has not signed in */
export async function chooseLogin(env: NodeJS.ProcessEnv = process.env): Promise<Login> {
  const { ROOMKEEPER_URL: url = '', ROOMKEEPER_TOKEN: token = '' } = env
  if (url !== '' && token !== '') return { url: serverUrl(url), token: wellFormedToken(token) }
  const stored = await readLogin()
  if (stored !== null) checkTransport(stored.url, env)
  if (token !== '' && stored !== null) return { url: stored.url, token: wellFormedToken(token) }
  if (token !== '') throw usageFailure('Please set ROOMKEEPER_URL, too.')
  // The stored token belongs to its server: no other one may see it.
  if (url !== '' && stored?.url !== serverUrl(url))
    throw usageFailure('Please set ROOMKEEPER_TOKEN, too: there is no stored token for ROOMKEEPER_URL.')
  if (stored === null)
    throw usageFailure('You are not signed in.', "Run 'roomkeeper login', or set ROOMKEEPER_URL and ROOMKEEPER_TOKEN.")
  return stored
}

/** @returns without a slash at its end @throws Failure */
export function serverUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw usageFailure(`This is no address of a server: ${given}. It looks like https://rooms.example.com.`)
  const address = url.origin + url.pathname.replace(/\/+$/, '')
  if (url.search !== '' || url.hash !== '')
    throw usageFailure(`The address of a server has nothing after its path, such as ? or #: ${address}`)
  checkTransport(address)
  return address
}

/** Without TLS, anyone on the network path can read the token. @throws Failure */
function checkTransport(address: string, env: NodeJS.ProcessEnv = process.env): void {
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
  throw usageFailure(message, 'If nobody is on that way, set ROOMKEEPER_ALLOW_HTTP=1.')
}

/** Never shows what was given: it may be a secret with a mistake in it. @throws Failure */
export function wellFormedToken(given: string): string {
  const token = given.trim()
  if (/^[\w-]{20,200}$/.test(token)) return token
  throw usageFailure('This is no API token. Make one in the console, under your name.')
}
