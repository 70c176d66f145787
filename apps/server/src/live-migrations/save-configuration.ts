/** Stores a configuration, new or changed. */
import { fieldError, type LiveMigration, type LiveMigrationDraft } from '@roomkeeper/contract'
import { whyNotChangeMigration } from '@roomkeeper/rules'
import { type AuditContext, type FieldChange, recordChange } from '#changes/index.ts'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, queryRows, type Tx } from '#platform/database.ts'
import { refuse, refuseInput } from '#platform/refuse.ts'
import { checkRunHasEnded, findMigration, type LockedMigration, lockMigration } from './configurations.ts'

/**
 * @throws Refusal `invalid-input`, `migration-unknown`, `migration-stale`, `migration-exists`, `migration-running`,
 * `migration-warning`, `wrong-state`
 */
export function saveMigration(database: Database, draft: LiveMigrationDraft, by: AuditContext): Promise<LiveMigration> {
  return database.transaction(async (tx) => {
    const before = draft.id === undefined ? null : await lockMigration(tx, draft.id)
    if (isStale(before, draft)) throw refuse('migration-stale')
    const reason = before === null ? null : whyNotChangeMigration(before)
    if (reason !== null) throw refuse(reason)
    // Abandoned copies are looked for in the configuration's regions, so these cannot change while rooms are in flight.
    if (draft.id !== undefined) await checkRunHasEnded(tx, draft.id)
    const names = await regionNames(tx, draft)
    await checkIsOnlyOne(tx, before, draft, names)
    const changes = before === null ? [] : changesOf(before, draft, names)
    const id = await store(tx, draft, changes.length > 0)
    await recordChange(tx, {
      kind: before === null ? 'live-migration.create' : 'live-migration.change',
      ...by,
      migrationId: id,
      regionIds: newTargets(before, draft),
      detail: `${names.source} → ${names.target}`,
      changes,
    })
    return findMigration(tx, id)
  })
}

function isStale(before: LockedMigration | null, { version }: LiveMigrationDraft): boolean {
  return before !== null && typeof version === 'number' && version !== before.version
}

/** @throws Refusal `migration-exists` */
async function checkIsOnlyOne(
  tx: Tx,
  before: LockedMigration | null,
  { sourceRegion, targetRegion }: LiveMigrationDraft,
  names: RegionNames,
): Promise<void> {
  if (before?.sourceRegion === sourceRegion && before.targetRegion === targetRegion) return
  await lockUntilCommit(tx, 'configurations of live migrations')
  const equal = await queryRows(
    tx,
    'select from live_migrations where source_region_id = $1 and target_region_id = $2 limit 1',
    [sourceRegion, targetRegion],
  )
  if (equal.length > 0) throw refuse('migration-exists', { ...names })
}

interface RegionNames {
  source: string
  target: string
}

/** Locks both regions, so that neither is removed meanwhile. @throws Refusal `invalid-input` */
async function regionNames(tx: Tx, draft: LiveMigrationDraft): Promise<RegionNames> {
  const rows = await queryRows<{ id: number; name: string }>(
    tx,
    'select id, name from regions where id in ($1, $2) for key share',
    [draft.sourceRegion, draft.targetRegion],
  )
  const byId = new Map(rows.map(({ id, name }) => [id, name]))
  const source = byId.get(draft.sourceRegion)
  const target = byId.get(draft.targetRegion)
  if (source !== undefined && target !== undefined) return { source, target }
  const unknown = (['sourceRegion', 'targetRegion'] as const).filter((field) => !byId.has(draft[field]))
  throw refuseInput(unknown.map((field) => fieldError(field, 'region-unknown')))
}

async function store(tx: Tx, { id, ...draft }: LiveMigrationDraft, isChanged: boolean): Promise<number> {
  const { sourceRegion, targetRegion, routing, parallel } = draft
  if (id === undefined) {
    const [inserted] = await queryRows<{ id: number }>(
      tx,
      `insert into live_migrations (source_region_id, target_region_id, routing, parallel)
       values ($1, $2, $3, $4) returning id`,
      [sourceRegion, targetRegion, routing, parallel],
    )
    if (inserted === undefined) throw new Error('The new configuration has no id.')
    return inserted.id
  }
  await queryRows(
    tx,
    `update live_migrations
        set source_region_id = $2, target_region_id = $3, routing = $4, parallel = $5,
            -- Counted, so that no operator overwrites what they have not seen.
            version = case when $6 then version + 1 else version end
      where id = $1`,
    [id, sourceRegion, targetRegion, routing, parallel, isChanged],
  )
  return id
}

/** Regions that become a target now, or that may no longer be one. */
function newTargets(before: LockedMigration | null, { targetRegion }: LiveMigrationDraft): number[] {
  if (before === null) return [targetRegion]
  return before.targetRegion === targetRegion ? [] : [before.targetRegion, targetRegion]
}

function changesOf(before: LockedMigration, draft: LiveMigrationDraft, names: RegionNames): FieldChange[] {
  const changes: FieldChange[] = [
    { field: 'sourceRegion', from: before.sourceName, to: names.source },
    { field: 'targetRegion', from: before.targetName, to: names.target },
    { field: 'routing', from: before.routing, to: draft.routing },
    { field: 'parallel', from: before.parallel, to: draft.parallel },
  ]
  return changes.filter(({ from, to }) => from !== to)
}
