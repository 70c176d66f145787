/**
 * Seals every stored secret again with SECRET_KEY, in one transaction, whether it was sealed with the former key or the
 * current one. Servers that know both keys may run meanwhile.
 *
 * These columns hold sealed values; a new column must be added here: regions.password and .system_password,
 * database_backups.sealed_password, webhooks.secret and .former_secrets, operations.input under `sealed`.
 */
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import type { SecretBox } from '#platform/secrets.ts'

export interface RotatedSecrets {
  regions: number
  databaseBackups: number
  webhooks: number
  operations: number
  /** Records that regions keep: they are sent anew, sealed with the current key, by the workers. */
  roomRecords: number
}

/**
 * @param secrets opens values of both keys, seals with the current one
 * @throws Error when a value opens with neither key; nothing is changed then
 */
export function rotateSecrets({ transaction }: Database, secrets: SecretBox): Promise<RotatedSecrets> {
  return transaction(async (tx) => {
    // The lock keeps others from writing secrets, but not from reading them.
    await queryRows(tx, 'lock table regions, database_backups, webhooks, operations in share row exclusive mode')
    return {
      regions: await rotateRegions(tx, secrets),
      databaseBackups: await rotateDatabaseBackups(tx, secrets),
      webhooks: await rotateWebhooks(tx, secrets),
      operations: await rotateOperations(tx, secrets),
      roomRecords: await sendRecordsAnew(tx),
    }
  })
}

async function rotateRegions(tx: Tx, secrets: SecretBox): Promise<number> {
  const rows = await tx.selectFrom('regions').select(['id', 'name', 'password', 'systemPassword']).execute()
  for (const { id, name, password, systemPassword } of rows) {
    const anew = (sealed: string) => sealAnew(secrets, sealed, `of the region ${name}`)
    const change = { password: anew(password), systemPassword: anew(systemPassword) }
    await tx.updateTable('regions').set(change).where('id', '=', id).execute()
  }
  return rows.length
}

const batch = 1000

/** In batches, because each database of each room may have several backups. */
async function rotateDatabaseBackups(tx: Tx, secrets: SecretBox): Promise<number> {
  let count = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await tx
      .selectFrom('databaseBackups')
      .select(['id', 'sealedPassword'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(batch)
      .execute()
    const anew = rows.map(({ id, sealedPassword }) => sealAnew(secrets, sealedPassword, `of the backup ${id}`))
    await queryRows(
      tx,
      `update database_backups b set sealed_password = new.sealed
         from unnest($1::uuid[], $2::text[]) as new (id, sealed) where b.id = new.id`,
      [rows.map(({ id }) => id), anew],
    )
    count += rows.length
    const last = rows.at(-1)
    if (last === undefined) return count
    after = last.id
  }
}

async function rotateWebhooks(tx: Tx, secrets: SecretBox): Promise<number> {
  const rows = await tx
    .selectFrom('webhooks')
    .select(['id', 'name', 'secret', 'formerSecrets'])
    .where('deletedAt', 'is', null)
    .execute()
  for (const { id, name, secret, formerSecrets } of rows) {
    const anew = (sealed: string) => sealAnew(secrets, sealed, `of the webhook ${name}`)
    const change = {
      secret: anew(secret),
      formerSecrets: JSON.stringify(formerSecrets.map((each) => ({ ...each, secret: anew(each.secret) }))),
    }
    await tx.updateTable('webhooks').set(change).where('id', '=', id).execute()
  }
  return rows.length
}

async function rotateOperations(tx: Tx, secrets: SecretBox): Promise<number> {
  const rows = await queryRows<{ id: string; sealed: Record<string, string> }>(
    tx,
    `select id, input->'sealed' as sealed from operations where input ? 'sealed'`,
  )
  for (const { id, sealed } of rows) {
    const anew = Object.entries(sealed).map(([key, value]) => [key, sealAnew(secrets, value, `of the operation ${id}`)])
    await queryRows(tx, `update operations set input = jsonb_set(input, '{sealed}', $2::jsonb) where id = $1`, [
      id,
      JSON.stringify(Object.fromEntries(anew)),
    ])
  }
  return rows.length
}

async function sendRecordsAnew(tx: Tx): Promise<number> {
  const due = await queryRows<{ count: number }>(
    tx,
    `with due as (
       insert into room_records_due (room_id) select id from rooms order by id
         on conflict (room_id) do update set changes = room_records_due.changes + 1, try_at = now() returning 1)
     select count(*)::int as count from due`,
  )
  return due[0]?.count ?? 0
}

function sealAnew(secrets: SecretBox, sealed: string, whose: string): string {
  try {
    return secrets.seal(secrets.open(sealed))
  } catch {
    throw new Error(`A secret ${whose} can be opened neither with SECRET_KEY nor with SECRET_KEY_OLD.`)
  }
}
