/** The first start creates one administrator; later starts do not change the accounts. */
import { randomBytes } from 'node:crypto'
import { recordChange } from '#changes/index.ts'
import { type Database, queryRows } from '#platform/database.ts'
import { Secret } from '#platform/secrets.ts'
import { hashPassword } from './passwords.ts'

export interface FirstAdministrator {
  email: string
  password: Secret
}

/**
 * @param given the password from ADMIN_PASSWORD, if any
 * @param tell called with a generated password before it is stored. If the process then fails, whoever has read the
 * password can sign in with it, or the next start generates another one
 */
export async function makeFirstAdministrator(
  database: Database,
  email: string,
  given: Secret | undefined,
  tell: (made: FirstAdministrator) => void,
): Promise<void> {
  if (await someoneExists(database)) return
  const password = given ?? new Secret(randomBytes(15).toString('base64url'))
  const passwordHash = await hashPassword(password)
  await database.transaction(async (tx) => {
    // Two processes may start at once. The table lock makes the second one see the first one's account.
    await queryRows(tx, 'lock table operators in share row exclusive mode')
    if ((await tx.selectFrom('operators').select('id').limit(1).execute()).length > 0) return
    await tx
      .insertInto('operators')
      .values({ email, name: 'Administrator', role: 'CLOUD_ADMINISTRATOR', passwordHash })
      .execute()
    await recordChange(tx, { actor: 'system', kind: 'operator.create', detail: email })
    if (given === undefined) tell({ email, password })
  })
}

async function someoneExists({ db }: Database): Promise<boolean> {
  return (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) !== undefined
}
