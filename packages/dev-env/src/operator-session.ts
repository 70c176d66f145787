/** Sessions of operators for tests. */
import { createHash, randomBytes } from 'node:crypto'
import { type Client, createClient } from '@roomkeeper/contract'
import type { NetworkDatabase } from './postgres.ts'
import { administrator } from './start-server.ts'

export interface SignedInClient extends Client {
  token: string
}

export interface SessionGiven {
  /** The operator's e-mail address; default: the first administrator's. */
  email?: string
  awaitsSecondFactor?: boolean
}

/** @param address gives the server's current address */
export async function signIn(
  address: () => string,
  { email, password }: { email: string; password: string },
): Promise<SignedInClient> {
  const anonymous = createClient({ base: address(), token: () => null })
  const { body } = await anonymous.call('signIn', { body: { email, password } })
  return clientOf(address, body.token)
}

/**
 * Opens a session as a sign-in does, without its audit entry and without deriving a key from the password: that takes
 * 64 MiB and a third of a second of CPU each time.
 */
export async function openSession(
  database: Pick<NetworkDatabase, 'rows'>,
  address: () => string,
  { email = administrator.email, awaitsSecondFactor = false }: SessionGiven,
): Promise<SignedInClient> {
  const token = randomBytes(32).toString('base64url')
  const opened = await database.rows(
    `insert into sessions (operator_id, token_hash, awaits_second_factor)
     select id, $2, $3 from operators where email = $1 returning operator_id`,
    [email, createHash('sha256').update(token).digest(), awaitsSecondFactor],
  )
  if (opened.length === 0) throw new Error(`There is no account ${email}.`)
  return clientOf(address, token)
}

function clientOf(address: () => string, token: string): SignedInClient {
  const at = (path: string | URL | Request, init?: RequestInit) => fetch(address() + String(path), init)
  return { ...createClient({ base: '', token: () => token, fetch: at }), token }
}
