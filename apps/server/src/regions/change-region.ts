/** Adds and changes regions. Passwords are stored sealed and appear in no answer, log or audit entry. */
import {
  because,
  type FieldError,
  fieldError,
  type Region,
  type RegionChange,
  type RegionDraft,
} from '@roomkeeper/contract'
import {
  createRegionClient,
  type RegionAddress,
  RegionRefusal,
  type RegionStatus,
  RegionUnreachable,
} from '@roomkeeper/region-protocol'
import { type AuditContext, type FieldChange, recordChange } from '#changes/index.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import { violatesUnique } from '#platform/database-errors.ts'
import { Refusal, refuse, refuseInput } from '#platform/refuse.ts'
import { Secret, type SecretBox } from '#platform/secrets.ts'
import { type ConnectRegion, learnInstances } from './connect-region.ts'
import { recordHealth } from './region-health.ts'
import { findRegionOf } from './region-instance.ts'
import { findRegion, lockSettings, type StoredRegion } from './stored-region.ts'

export interface RegionParts {
  database: Database
  secrets: SecretBox
  connectRegion: ConnectRegion
  /** Whether plain http is allowed to other machines too. */
  allowHttp: boolean
}

/**
 * Registers a region, even if it does not answer.
 * @throws Refusal `invalid-input`, `region-name-taken`, `server-registered`
 */
export async function addRegion(parts: RegionParts, draft: RegionDraft, by: AuditContext): Promise<Region> {
  const url = checkUrl(draft.regionIPorURL, parts.allowHttp)
  const asked = await askInstance(parts, { url, userName: draft.userName, password: draft.password })
  const { answers } = asked
  return auditingRefusal(parts.database, draft.regionName, by, async (tx) => {
    await lockSettings(tx)
    await checkNotRegistered(tx, answers)
    const { name, userName, products, sourceRegions, state, maxRooms } = await settingsOf(tx, draft)
    const password = sealed(parts.secrets, draft.password)
    const systemPassword = sealed(parts.secrets, draft.passwordSystem)
    const instanceId = answers?.instanceId ?? null
    const [inserted] = await queryRows<{ id: number }>(
      tx,
      `insert into regions (name, url, user_name, password, system_password, products, source_regions, state, max_rooms,
                            instance_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       returning id`,
      [name, url, userName, password, systemPassword, products, sourceRegions, state, maxRooms, instanceId],
    ).catch((error: unknown) => {
      throw violatesUnique(error, 'regions_name') ? refuse('region-name-taken') : error
    })
    if (inserted === undefined) throw new Error('The new region has no id.')
    const { id } = inserted
    await storeHealth(tx, id, asked, true)
    await recordChange(tx, { kind: 'region.create', ...by, regionIds: [id], detail: draft.regionName })
    await recordHealth(tx, id)
    return findRegion(tx, id)
  })
}

/**
 * Settings that are not given stay as they are, and so do empty passwords. Running operations use the new login at their
 * next call. With a new URL, or if the operator confirms it, the server that answers there is the region from now on.
 * @throws Refusal `region-unknown`, `region-stale`, `invalid-input`, `region-name-used`, `server-registered`;
 * `region-unreachable` when the server to be confirmed does not answer
 */
export async function changeRegion(parts: RegionParts, change: RegionChange, by: AuditContext): Promise<Region> {
  for (;;) {
    const before = await findStored(parts.database.db, change.id)
    if (isStale(before, change)) throw refuse('region-stale')
    const changed = await changeUnlessOvertaken(parts, before, change, by)
    // Another operator changed the region while its server was asked, so the next round chooses the server anew.
    if (changed !== null) return changed
  }
}

function isStale(stored: StoredRegion, { version }: RegionChange): boolean {
  return typeof version === 'number' && version !== stored.version
}

/** @returns null if the region has changed since `before` was read */
async function changeUnlessOvertaken(
  parts: RegionParts,
  before: StoredRegion,
  change: RegionChange,
  by: AuditContext,
): Promise<Region | null> {
  const draft = { ...draftOf(before), ...given(change) }
  const url = change.regionIPorURL === undefined ? before.url : checkUrl(draft.regionIPorURL, parts.allowHttp)
  checkPasswords(before, { url, userName: draft.userName }, change)
  const isNewServer = url !== before.url || change.confirmOtherServer
  const isNewLogin = change.password !== '' || draft.userName !== before.userName
  const address = { url, userName: draft.userName, password: passwordFor(parts.secrets, before, change) }
  const asked = isNewServer || isNewLogin ? await askInstance(parts, address) : null
  const answers = isNewServer ? (asked?.answers ?? null) : null
  if (change.confirmOtherServer && answers === null) throw refuse('region-unreachable', { region: before.name })
  return auditingRefusal(parts.database, before.name, by, async (tx) => {
    await lockSettings(tx)
    const old = await findStored(tx, change.id, 'for update')
    if (old.version !== before.version) return null
    if (answers?.instanceId !== old.instanceId) await checkNotRegistered(tx, answers, change.id)
    const settings = await settingsOf(tx, draft)
    const { name, userName, products, sourceRegions, state, maxRooms } = settings
    const password = sealed(parts.secrets, change.password)
    const systemPassword = sealed(parts.secrets, change.passwordSystem)
    const instanceId = answers === null ? old.instanceId : answers.instanceId
    await queryRows(
      tx,
      // A region with a new URL is no longer the server that this console started.
      `update regions
          set name = $2, url = $3, user_name = $4, password = coalesce($5, password),
              system_password = coalesce($6, system_password), products = $7, source_regions = $8, state = $9,
              max_rooms = $10, instance_id = $11, other_server_at = case when not $12 then other_server_at end,
              embedded_name = case when url = $3 then embedded_name end
        where id = $1`,
      [
        change.id,
        name,
        url,
        userName,
        password,
        systemPassword,
        products,
        sourceRegions,
        state,
        maxRooms,
        instanceId,
        isNewServer,
      ],
    ).catch((error: unknown) => {
      throw violatesUnique(error, 'regions_name') ? refuse('region-name-used') : error
    })
    if (asked !== null) await storeHealth(tx, change.id, asked, isNewServer)
    const changes = changesOf(old, { ...settings, url, instanceId }, change)
    const regionIds = [change.id]
    if (changes.length === 0) await recordChange(tx, { kind: 'region.changed', regionIds })
    else await recordChange(tx, { kind: 'region.edit', ...by, regionIds, detail: old.name, changes })
    await recordHealth(tx, change.id)
    return findRegion(tx, change.id)
  })
}

/** @throws Refusal `region-unknown` */
async function findStored(db: Db | Tx, id: number, lock: 'for update' | '' = ''): Promise<StoredRegion> {
  const [row] = await queryRows<StoredRegion>(
    db,
    `select id, name, url, user_name, password, products, source_regions, state, max_rooms, version, instance_id
       from regions where id = $1 ${lock}`,
    [id],
  )
  if (row === undefined) throw refuse('region-unknown', { region: id })
  return row
}

function passwordFor(secrets: SecretBox, stored: StoredRegion, { password }: RegionChange): string {
  return password === '' ? secrets.open(stored.password).reveal() : password
}

type DraftSettings = Omit<RegionDraft, 'password' | 'passwordSystem'>

function draftOf(stored: StoredRegion): DraftSettings {
  return {
    regionName: stored.name,
    regionIPorURL: stored.url,
    userName: stored.userName,
    productVersion: stored.products as RegionDraft['productVersion'],
    selectedSourceRegion: stored.sourceRegions,
    state: stored.state,
    maxNumOfTenants: stored.maxRooms,
  }
}

/** The settings that the change names. */
function given(change: RegionChange): Partial<DraftSettings> {
  const { id: _, version: __, password: ___, passwordSystem: ____, confirmOtherServer: _____, ...settings } = change
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

type Answers = Pick<RegionStatus, 'instanceId' | 'version'>

interface Asked {
  /** What the server tells of itself; null: nothing answers, or no region, or it refuses the login. */
  answers: Answers | null
  isDenied: boolean
}

/** Stores what is known of the health of a region whose server has just been asked, if that is news. */
async function storeHealth(tx: Tx, id: number, { answers, isDenied }: Asked, isNewServer: boolean): Promise<void> {
  const health = isDenied ? 'refuses-login' : answers === null ? null : 'answers'
  await queryRows(
    tx,
    `update regions set health = $2, software_version = $3, health_since = case when $2 is not null then now() end
      where id = $1 and ($4 or health is distinct from $2)`,
    [id, health, answers?.version ?? null, isNewServer],
  )
}

async function askInstance(parts: RegionParts, address: RegionAddress): Promise<Asked> {
  try {
    const answers = await createRegionClient(address, { timeoutSeconds: 5 }).status()
    if (answers.instanceId !== null) await learnInstances(parts.database.db, parts.connectRegion)
    return { answers, isDenied: false }
  } catch (error) {
    if (error instanceof RegionUnreachable) return { answers: null, isDenied: false }
    if (error instanceof RegionRefusal) return { answers: null, isDenied: error.status === 401 }
    throw error
  }
}

async function checkNotRegistered(tx: Tx, answers: { instanceId: string | null } | null, but?: number): Promise<void> {
  const region = await findRegionOf(tx, answers?.instanceId ?? null, but)
  if (region !== null) throw refuse('server-registered', { region })
}

/**
 * Runs a transaction and records the refusal `server-registered` in the audit trail with the names of both regions: a
 * region that knows the id of another may claim it as its own, and then people must find out which of the two lies.
 */
async function auditingRefusal<T>(
  database: Database,
  name: string,
  by: AuditContext,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await database.transaction(work)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'server-registered') {
      const detail = because('audit-registered', { region: name, other: String(error.params.region) })
      await recordChange(database.db, { ...by, kind: 'region.refused', detail })
    }
    throw error
  }
}

type Settings = Pick<StoredRegion, 'name' | 'userName' | 'products' | 'sourceRegions' | 'state' | 'maxRooms'>

async function settingsOf(tx: Tx, draft: DraftSettings): Promise<Settings> {
  return {
    name: draft.regionName,
    userName: draft.userName,
    products: draft.productVersion,
    sourceRegions: await checkSourceRegions(tx, draft.selectedSourceRegion),
    state: draft.state,
    maxRooms: draft.maxNumOfTenants,
  }
}

interface SentPasswords {
  password: string
  passwordSystem: string
}

/** @returns null for an empty password, which is none */
function sealed(secrets: SecretBox, password: string): string | null {
  return password === '' ? null : secrets.seal(new Secret(password))
}

/** The names of the fields on the wire, by column. */
const auditedFields = {
  name: 'regionName',
  url: 'regionIPorURL',
  userName: 'userName',
  products: 'productVersion',
  sourceRegions: 'selectedSourceRegion',
  state: 'state',
  maxRooms: 'maxNumOfTenants',
  instanceId: 'instanceId',
} as const

function changesOf(
  old: StoredRegion,
  now: Settings & { url: string; instanceId: string | null },
  sent: SentPasswords,
): FieldChange[] {
  const changes: FieldChange[] = []
  for (const [column, field] of Object.entries(auditedFields) as [keyof typeof auditedFields, string][]) {
    const [from, to] = [old[column], now[column]]
    if (JSON.stringify(from) !== JSON.stringify(to)) changes.push({ field, from, to })
  }
  // The entry says that a password was changed, not its value.
  for (const field of ['password', 'passwordSystem'] as const) {
    if (sent[field] !== '') changes.push({ field, from: hidden, to: hidden })
  }
  return changes
}

const hidden = '[secret]'

/**
 * Passwords are sent to a region: unencrypted only within this machine, or anywhere with ALLOW_HTTP_REGIONS.
 * @returns the URL in its stored form
 * @throws Refusal `invalid-input`
 */
export function checkUrl(url: string, allowHttp: boolean): string {
  if (URL.canParse(url)) {
    if (new URL(url).protocol === 'https:' || isLoopback(url) || allowHttp) return url.replace(/\/$/, '')
  }
  throw refuseInput([fieldError('regionIPorURL', 'url-not-allowed')])
}

/** Whether this address means the machine that uses it, and so another one on every machine. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

interface Login {
  url: string
  userName: string
}

/**
 * Stored passwords must not be sent to another host or tried on another account.
 * @throws Refusal `invalid-input`
 */
export function checkPasswords(stored: Login, wanted: Login, sent: { password: string; passwordSystem: string }): void {
  if (stored.url === wanted.url && stored.userName === wanted.userName) return
  const missing: FieldError[] = []
  if (sent.password === '') missing.push(fieldError('password', 'superuser-password-again'))
  if (sent.passwordSystem === '') missing.push(fieldError('passwordSystem', 'system-password-again'))
  if (missing.length > 0) throw refuseInput(missing)
}

/** @returns the ids without duplicates. @throws Refusal `invalid-input` when a region does not exist */
async function checkSourceRegions(tx: Tx, wanted: readonly number[]): Promise<number[]> {
  const ids = [...new Set(wanted)]
  if (ids.length === 0) return ids
  const rows = await queryRows<{ id: number }>(tx, 'select id from regions where id = any($1)', [ids])
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return ids
  throw refuseInput([fieldError('selectedSourceRegion', 'regions-unknown', { ids: unknown.join(', ') })])
}
