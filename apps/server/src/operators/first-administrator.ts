/** The first start makes one administrator; later starts leave the accounts alone. */
import { randomBytes } from 'node:crypto'
import { type Database, queryRows } from '#platform/database.ts'
import { Secret } from '#platform/secrets.ts'
import { recordAudit } from './audit/record-audit.ts'
import { hashPassword } from './passwords.ts'

export interface FirstAdministrator {
  email: string
  password: Secret
}

/**
 * @param given the password from ADMIN_PASSWORD, if any
 * @param tell called with a generated password before it is stored: whatever happens then, somebody who has read it can
 * sign in, or gets another one at the next start
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
    // Two processes may start at once; the table lock lets one of them be first.
    await queryRows(tx, 'lock table operators in share row exclusive mode')
    if ((await tx.selectFrom('operators').select('id').limit(1).execute()).length > 0) return
    await tx
      .insertInto('operators')
      .values({ email, name: 'Administrator', role: 'CLOUD_ADMINISTRATOR', passwordHash })
      .execute()
    await recordAudit(tx, { actor: 'system', action: 'operator.create', detail: email })
    if (given === undefined) tell({ email, password })
  })
}

async function someoneExists({ db }: Database): Promise<boolean> {
  return (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) !== undefined
}
