/** The password with which a region allows changes of its rooms' system databases. */
import type { Db } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import type { Secret, SecretBox } from '#platform/secrets.ts'

/** Reads the stored password anew. @throws Refusal `region-unknown` */
export async function systemPasswordOf(db: Db, secrets: SecretBox, regionId: number): Promise<Secret> {
  const row = await db.selectFrom('regions').select('systemPassword').where('id', '=', regionId).executeTakeFirst()
  if (row === undefined) throw refuse('region-unknown', { region: regionId })
  return secrets.open(row.systemPassword)
}
