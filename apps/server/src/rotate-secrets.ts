/**
 * `npm run secrets:rotate`: seals every stored secret again with SECRET_KEY, in one transaction, whether it was sealed
 * with the former key or the current one. Servers that know both keys may run meanwhile. See docs/operations.md;
 * settings as for the server, with SECRET_KEY and SECRET_KEY_OLD.
 *
 * These columns hold sealed values; a new column must be added here: regions.password and .system_password,
 * database_backups.sealed_password, webhooks.secret and .former_secrets, operations.input under `sealed`.
 */
import { mailServerId } from '@roomkeeper/contract'
import { WrongSetting } from '#app/setting-forms.ts'
import { readSettings, type Settings } from '#app/settings.ts'
import { withDatabase } from '#app/with-database.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { createSecretBox, type SecretBox } from '#platform/secrets.ts'

const batch = 1000

try {
  await rotate(readSettings(process.env))
} catch (error) {
  console.error(error instanceof Error ? error.message : 'unknown error')
  process.exitCode = error instanceof WrongSetting ? 2 : 1
}

// Exits explicitly: Node 24 was seen to spin for ever instead of ending when connections had just been closed.
process.exit()

async function rotate(settings: Settings): Promise<void> {
  if (settings.SECRET_KEY_OLD === undefined)
    throw new WrongSetting('SECRET_KEY_OLD is missing: it takes the former SECRET_KEY; SECRET_KEY takes the new one.')
  const secrets = createSecretBox(settings.SECRET_KEY, settings.SECRET_KEY_OLD)
  const rotated = await withDatabase(settings, (database) => rotateSecrets(database, secrets))
  const { regions, databaseBackups, webhooks, operations, roomRecords } = rotated
  console.log(
    `Sealed anew: regions ${regions}, database backups ${databaseBackups}, webhooks ${webhooks}, operations ${operations}. Records of project rooms that are sent to their regions anew: ${roomRecords}.`,
  )
}

interface RotatedSecrets {
  regions: number
  databaseBackups: number
  webhooks: number
  operations: number
  /** Records that regions keep: they are sent again, sealed with the current key, by the workers. */
  roomRecords: number
}

/**
 * @param secrets opens values of both keys, seals with the current one
 * @throws Error when a value opens with neither key; nothing is changed then
 */
function rotateSecrets({ transaction }: Database, secrets: SecretBox): Promise<RotatedSecrets> {
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
  const rows = await queryRows<{ id: number; name: string; password: string; systemPassword: string }>(
    tx,
    'select id, name, password, system_password from regions',
  )
  for (const { id, name, password, systemPassword } of rows) {
    const sealedAgain = (sealed: string) => sealAgain(secrets, sealed, `of the region ${name}`)
    await queryRows(tx, 'update regions set password = $2, system_password = $3 where id = $1', [
      id,
      sealedAgain(password),
      sealedAgain(systemPassword),
    ])
  }
  return rows.length
}

/** In batches, because each database of each room may have several backups. */
async function rotateDatabaseBackups(tx: Tx, secrets: SecretBox): Promise<number> {
  let count = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows: { id: string; sealedPassword: string }[] = await queryRows(
      tx,
      'select id, sealed_password from database_backups where id > $1 order by id limit $2',
      [after, batch],
    )
    const sealedAgain = rows.map(({ id, sealedPassword }) => sealAgain(secrets, sealedPassword, `of the backup ${id}`))
    await queryRows(
      tx,
      `update database_backups b set sealed_password = new.sealed
         from unnest($1::uuid[], $2::text[]) as new (id, sealed) where b.id = new.id`,
      [rows.map(({ id }) => id), sealedAgain],
    )
    count += rows.length
    const last = rows.at(-1)
    if (last === undefined) return count
    after = last.id
  }
}

interface WebhookSecrets {
  id: string
  name: string
  secret: string
  formerSecrets: { secret: string; until: string }[]
}

async function rotateWebhooks(tx: Tx, secrets: SecretBox): Promise<number> {
  const rows = await queryRows<WebhookSecrets>(
    tx,
    'select id, name, secret, former_secrets from webhooks where deleted_at is null and id <> $1',
    [mailServerId],
  )
  for (const { id, name, secret, formerSecrets } of rows) {
    const sealedAgain = (sealed: string) => sealAgain(secrets, sealed, `of the webhook ${name}`)
    const formerAgain = formerSecrets.map((each) => ({ ...each, secret: sealedAgain(each.secret) }))
    await queryRows(tx, 'update webhooks set secret = $2, former_secrets = $3 where id = $1', [
      id,
      sealedAgain(secret),
      JSON.stringify(formerAgain),
    ])
  }
  return rows.length
}

async function rotateOperations(tx: Tx, secrets: SecretBox): Promise<number> {
  const rows = await queryRows<{ id: string; sealed: Record<string, string> }>(
    tx,
    `select id, input->'sealed' as sealed from operations where input ? 'sealed'`,
  )
  for (const { id, sealed } of rows) {
    const sealedAgain = Object.entries(sealed).map(([key, value]) => [
      key,
      sealAgain(secrets, value, `of the operation ${id}`),
    ])
    await queryRows(tx, `update operations set input = jsonb_set(input, '{sealed}', $2::jsonb) where id = $1`, [
      id,
      JSON.stringify(Object.fromEntries(sealedAgain)),
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

function sealAgain(secrets: SecretBox, sealed: string, whose: string): string {
  try {
    return secrets.seal(secrets.open(sealed))
  } catch {
    throw new Error(`A secret ${whose} can be opened neither with SECRET_KEY nor with SECRET_KEY_OLD.`)
  }
}
