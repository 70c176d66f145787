/** Adding and changing regions. Passwords are stored sealed and appear in no answer, log or audit entry. */
import type { Region, RegionChange, RegionDraft } from '@roomkeeper/contract'
import { recordAudit } from '#operators/index.ts'
import type { Database, Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { announce } from '#platform/events.ts'
import { refuse } from '#platform/refuse.ts'
import { Secret, type SecretBox } from '#platform/secrets.ts'
import type { AuditChange } from '#platform/tables.ts'
import { checkPasswords, checkSourceRegions, checkUrl } from './check-region-draft.ts'
import { findRegion, type StoredRegion, takeTurn } from './stored-region.ts'

export interface RegionParts {
  database: Database
  secrets: SecretBox
  /** Plain http also to addresses other than this machine's. */
  allowHttp: boolean
}

export interface By {
  actor: string
  requestId: string
}

/** @throws Refusal `invalid-input`, `region-name-taken` */
export function addRegion(parts: RegionParts, draft: RegionDraft, by: By): Promise<Region> {
  const url = checkUrl(draft.regionIPorURL, parts.allowHttp)
  return parts.database.transaction(async (tx) => {
    await takeTurn(tx)
    const { id } = await tx
      .insertInto('regions')
      .values({
        ...(await settingsOf(tx, draft)),
        url,
        ...sealed(parts.secrets, draft),
        embedded_name: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch((error: unknown) => {
        throw violatesUnique(error, 'regions_name') ? refuse('region-name-taken') : error
      })
    await recordAudit(tx, { ...by, action: 'region.create', detail: draft.regionName })
    await announce(tx, { type: 'region', regionId: id })
    return findRegion(tx, id)
  })
}

/**
 * Empty passwords keep the stored ones. What runs sees the new login at its next call.
 * @throws Refusal `region-unknown`, `invalid-input`, `region-name-used`
 */
export function changeRegion(parts: RegionParts, change: RegionChange, by: By): Promise<Region> {
  const url = checkUrl(change.regionIPorURL, parts.allowHttp)
  return parts.database.transaction(async (tx) => {
    await takeTurn(tx)
    const old = await tx.selectFrom('regions').selectAll().where('id', '=', change.id).forUpdate().executeTakeFirst()
    if (old === undefined) throw refuse('region-unknown', { region: change.id })
    checkPasswords(old, { url, user_name: change.userName }, change)
    const settings = await settingsOf(tx, change)
    await tx
      .updateTable('regions')
      .set({
        ...settings,
        url,
        ...sealed(parts.secrets, change),
        // Another server than the one that this console started.
        ...(url === old.url ? {} : { embedded_name: null }),
      })
      .where('id', '=', change.id)
      .execute()
      .catch((error: unknown) => {
        throw violatesUnique(error, 'regions_name') ? refuse('region-name-used') : error
      })
    const changes = changesOf(old, { ...settings, url }, change)
    if (changes.length > 0) await recordAudit(tx, { ...by, action: 'region.edit', detail: old.name, changes })
    await announce(tx, { type: 'region', regionId: change.id })
    return findRegion(tx, change.id)
  })
}

type Settings = Pick<StoredRegion, 'name' | 'user_name' | 'products' | 'source_regions' | 'state' | 'max_rooms'>

async function settingsOf(tx: Tx, draft: Omit<RegionDraft, 'password' | 'passwordSystem'>): Promise<Settings> {
  return {
    name: draft.regionName,
    user_name: draft.userName,
    products: draft.productVersion,
    source_regions: await checkSourceRegions(tx, draft.selectedSourceRegion),
    state: draft.state,
    max_rooms: draft.maxNumOfTenants,
  }
}

interface SentPasswords {
  password: string
  passwordSystem: string
}

interface SealedPasswords {
  password: string
  system_password: string
}

function sealed(secrets: SecretBox, sent: RegionDraft): SealedPasswords
function sealed(secrets: SecretBox, sent: SentPasswords): Partial<SealedPasswords>
function sealed(secrets: SecretBox, { password, passwordSystem }: SentPasswords): Partial<SealedPasswords> {
  return {
    ...(password === '' ? {} : { password: secrets.seal(new Secret(password)) }),
    ...(passwordSystem === '' ? {} : { system_password: secrets.seal(new Secret(passwordSystem)) }),
  }
}

/** The fields as the wire names them. */
const auditedFields = {
  name: 'regionName',
  url: 'regionIPorURL',
  user_name: 'userName',
  products: 'productVersion',
  source_regions: 'selectedSourceRegion',
  state: 'state',
  max_rooms: 'maxNumOfTenants',
} as const

function changesOf(old: StoredRegion, now: Settings & { url: string }, sent: SentPasswords): AuditChange[] {
  const changes: AuditChange[] = []
  for (const [column, field] of Object.entries(auditedFields) as [keyof typeof auditedFields, string][]) {
    const [from, to] = [old[column], now[column]]
    if (JSON.stringify(from) !== JSON.stringify(to)) changes.push({ field, from, to })
  }
  // That they were changed, not to what.
  for (const field of ['password', 'passwordSystem'] as const) {
    if (sent[field] !== '') changes.push({ field, from: hidden, to: hidden })
  }
  return changes
}

const hidden = '[secret]'
