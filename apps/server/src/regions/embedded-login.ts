/** The rows of embedded regions: which row belongs to which server, and the passwords with which it runs. */
import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import { type Database, queryRows } from '#platform/database.ts'
import type { Log } from '#platform/log.ts'
import { Secret, type SecretBox } from '#platform/secrets.ts'
import type { RegionsTable } from './tables.ts'

export interface EmbeddedLogin {
  /** The name of its data folder on this console; also the name of its row, if that is free. */
  folder: string
  /** `isOnOtherMachine`: an administrator has given the region another address, which stays. */
  row: { id: number; instanceId: string | null; isOnOtherMachine: boolean } | null
  password: Secret
  systemPassword: Secret
  /** The port of the last start; 0: any. */
  port: number
  /** The instance id that the server reported at its start; null: it has not started yet. */
  instanceId: string | null
}

interface Parts {
  database: Database
  secrets: SecretBox
  log: Log
}

export function newLogin(folder: string): EmbeddedLogin {
  return { folder, row: null, password: randomSecret(), systemPassword: randomSecret(), port: 0, instanceId: null }
}

export async function findEmbedded(parts: Parts, folder: string): Promise<EmbeddedLogin | null> {
  const query = parts.database.db.selectFrom('regions').selectAll()
  const row = await query.where('embeddedName', '=', folder).executeTakeFirst()
  return row === undefined ? null : loginOf(parts, folder, row)
}

/**
 * Finds the login of the server by the instance id that it reported.
 * @param supposed the login with which the server was started, found by the name of its folder
 * @returns `supposed` if it was right; otherwise the login of the server's own row, or a new login if it has none
 */
export async function findOwn(parts: Parts, supposed: EmbeddedLogin): Promise<EmbeddedLogin> {
  const { folder, row: guessed, instanceId } = supposed
  if (guessed !== null && guessed.instanceId === instanceId) return supposed
  const query = parts.database.db.selectFrom('regions').selectAll().where('instanceId', '=', instanceId)
  const own = await query.orderBy('embeddedName', (by) => by.asc().nullsLast()).executeTakeFirst()
  if (own !== undefined) return loginOf(parts, folder, own)
  // A row that is older than instance ids belongs to the folder of its name.
  if (guessed === null || guessed.instanceId === null) return supposed
  parts.log.warn({ region: folder }, 'the region of this name has other data: this one gets another name')
  return newLogin(folder)
}

/** Stores the current address in the region's row, or adds a row with the first free name of local-1, local-2, … */
export async function registerEmbedded(parts: Parts, login: EmbeddedLogin): Promise<void> {
  const { db } = parts.database
  const { row, instanceId } = login
  if (row?.isOnOtherMachine === true) return
  const url = `http://127.0.0.1:${login.port}`
  if (row !== null) {
    const set = { url, instanceId, otherServerAt: null }
    const own = db.updateTable('regions').set(set).where('id', '=', row.id).where('embeddedName', 'is not', null)
    if ((await own.executeTakeFirst()).numUpdatedRows > 0) return
  }
  for (let number = Number(login.folder.replace(/^local-/, '')); ; number += 1) {
    const id = await insert(parts, login, { url, embeddedName: `local-${number}` })
    if (id === null) continue
    login.row = { id, instanceId, isOnOtherMachine: false }
    return
  }
}

/** @returns null: another row has this embedded name */
async function insert(
  { database, secrets }: Parts,
  login: EmbeddedLogin,
  { url, embeddedName }: { url: string; embeddedName: string },
): Promise<number | null> {
  const [inserted] = await queryRows<{ id: number }>(
    database.db,
    `insert into regions (name, url, user_name, password, system_password, products, embedded_name, instance_id)
     -- Somebody may have given the name to another region meanwhile.
     select case when exists (select from regions where lower(name) = lower($1::text)
                                and embedded_name is distinct from $1)
                 then $1 || '-embedded' else $1 end,
            $2, 'superuser', $3, $4, '{ARIS,MINING,ENTERPRISE}', $1, $5
     on conflict do nothing returning id`,
    [embeddedName, url, secrets.seal(login.password), secrets.seal(login.systemPassword), login.instanceId],
  )
  return inserted?.id ?? null
}

function loginOf({ secrets }: Parts, folder: string, row: Selectable<RegionsTable>): EmbeddedLogin {
  return {
    folder,
    row: { id: row.id, instanceId: row.instanceId, isOnOtherMachine: row.embeddedName === null },
    password: secrets.open(row.password),
    systemPassword: secrets.open(row.systemPassword),
    port: portOf(row.url),
    instanceId: null,
  }
}

/** The port of an address on this machine; 0 for other addresses, whose port may be that of a proxy. */
function portOf(url: string): number {
  const { hostname, port } = new URL(url)
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) ? Number(port) : 0
}

function randomSecret(): Secret {
  return new Secret(randomBytes(24).toString('base64url'))
}
