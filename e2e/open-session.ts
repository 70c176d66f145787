/** Sessions of tests that are not about signing in. */
import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '@roomkeeper/contract'
import { type Network, operatorDraft } from '@roomkeeper/dev-env'

/**
 * Opens a session as a sign-in does, without its audit entry and without deriving a key from the password: that takes
 * 64 MiB and more than a tenth of a second of CPU each time, once for every page of a test.
 * @returns its token
 */
export async function openSession(network: Network, role: Role): Promise<string> {
  // Creates the account on the first call, and signs in to it.
  await network.as(role)
  const token = randomBytes(32).toString('base64url')
  const [opened] = await network.database.rows(
    `insert into sessions (operator_id, token_hash, awaits_second_factor)
     select id, $2, false from operators where email = $1 returning operator_id`,
    [operatorDraft(role).email, createHash('sha256').update(token).digest()],
  )
  if (opened === undefined) throw new Error(`There is no account with the role ${role}.`)
  return token
}
