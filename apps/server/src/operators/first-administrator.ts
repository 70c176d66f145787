/** The first start makes one administrator; later starts leave the accounts alone. */
import { randomBytes } from 'node:crypto'
import { type Database, queryRows } from '#platform/database.ts'
import { Secret } from '#platform/secrets.ts'
import { recordAudit } from './audit/record-audit.ts'
import { hashPassword } from './passwords.ts'

/**
 * @param given the password from ADMIN_PASSWORD, if any
 * @returns what to print once, or null when there are operators already or the password was given
 */
export async function makeFirstAdministrator(
  database: Database,
  email: string,
  given: Secret | undefined,
): Promise<{ email: string; password: Secret } | null> {
  if (await someoneExists(database)) return null
  const password = given ?? new Secret(randomBytes(15).toString('base64url'))
  const passwordHash = await hashPassword(password)
  const made = await database.transaction(async (tx) => {
    // Two processes may start at once; the table lock lets one of them be first.
    await queryRows(tx, 'lock table operators in share row exclusive mode')
    if ((await tx.selectFrom('operators').select('id').limit(1).execute()).length > 0) return false
    await tx
      .insertInto('operators')
      .values({ email, name: 'Administrator', role: 'CLOUD_ADMINISTRATOR', password_hash: passwordHash })
      .execute()
    await recordAudit(tx, { actor: 'system', action: 'operator.create', detail: email })
    return true
  })
  return made && given === undefined ? { email, password } : null
}

async function someoneExists({ db }: Database): Promise<boolean> {
  return (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) !== undefined
}
