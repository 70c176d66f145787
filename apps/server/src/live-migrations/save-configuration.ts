/** Stores a configuration, new or changed. */
import { fieldError, type LiveMigration, type LiveMigrationDraft } from '@roomkeeper/contract'
import { whyNotChangeMigration } from '@roomkeeper/rules'
import { sql } from 'kysely'
import { type AuditContext, type FieldChange, recordChange } from '#changes/index.ts'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import type { Database, Tx } from '#platform/database.ts'
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
  const equal = await tx
    .selectFrom('liveMigrations')
    .select('id')
    .where('sourceRegionId', '=', sourceRegion)
    .where('targetRegionId', '=', targetRegion)
    .limit(1)
    .executeTakeFirst()
  if (equal !== undefined) throw refuse('migration-exists', { ...names })
}

interface RegionNames {
  source: string
  target: string
}

/** Locks both regions, so that neither is removed meanwhile. @throws Refusal `invalid-input` */
async function regionNames(tx: Tx, draft: LiveMigrationDraft): Promise<RegionNames> {
  const rows = await tx
    .selectFrom('regions')
    .select(['id', 'name'])
    .where('id', 'in', [draft.sourceRegion, draft.targetRegion])
    .forKeyShare()
    .execute()
  const byId = new Map(rows.map(({ id, name }) => [id, name]))
  const source = byId.get(draft.sourceRegion)
  const target = byId.get(draft.targetRegion)
  if (source !== undefined && target !== undefined) return { source, target }
  const unknown = (['sourceRegion', 'targetRegion'] as const).filter((field) => !byId.has(draft[field]))
  throw refuseInput(unknown.map((field) => fieldError(field, 'region-unknown')))
}

async function store(tx: Tx, { id, ...draft }: LiveMigrationDraft, isChanged: boolean): Promise<number> {
  const { sourceRegion: sourceRegionId, targetRegion: targetRegionId, routing, parallel } = draft
  const columns = { sourceRegionId, targetRegionId, routing, parallel }
  if (id === undefined) {
    return (await tx.insertInto('liveMigrations').values(columns).returning('id').executeTakeFirstOrThrow()).id
  }
  // How often it was changed, so that nobody overwrites what they have not seen.
  const counted = isChanged ? { version: sql<number>`version + 1` } : {}
  await tx
    .updateTable('liveMigrations')
    .set({ ...columns, ...counted })
    .where('id', '=', id)
    .execute()
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
