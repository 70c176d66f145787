/** The password with which a region lets its rooms' system databases be changed. */
import type { Db } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { Secret, SecretBox } from '#platform/secrets.ts'

/** As it is stored now. @throws Refusal `region-unknown` */
export async function systemPasswordOf(db: Db, secrets: SecretBox, regionId: number): Promise<Secret> {
  const row = await db.selectFrom('regions').select('systemPassword').where('id', '=', regionId).executeTakeFirst()
  if (row === undefined) throw refuse('region-unknown', { region: regionId })
  return secrets.open(row.systemPassword)
}
