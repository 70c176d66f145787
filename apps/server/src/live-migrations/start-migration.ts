/** Starts a live migration: checks, records and enqueues everything in one transaction. */
import { because, type RoomSelection } from '@roomkeeper/contract'
import { whyNotMoveBetween, whyNotStartMigration } from '@roomkeeper/rules'
import { recordChange } from '#changes/index.ts'
import { findStarted, startOnce } from '#operations/index.ts'
import type { Database, Tx } from '#platform/database.ts'
import { refuse } from '#platform/refuse.ts'
import { type ConnectRegion, learnInstances } from '#regions/index.ts'
import type { StartingCall } from '#rooms/index.ts'
import { findMigration, type LockedMigration, lockMigration, wayOf } from './configurations.ts'
import { startMigrationRun } from './operations/migration-run.ts'
import { minutesToWait } from './removals-in-target.ts'
import { checkMovable, checkNotEmpty, nothingSelected, roomsInOrder } from './selected-rooms.ts'

export interface MigrationParts {
  database: Database
  connectRegion: ConnectRegion
}

/**
 * @returns the operation's id
 * @throws Refusal `invalid-input`, `migration-unknown`, `migration-running`, `migration-warning`, `region-disabled`,
 * `migration-too-early`, `same-server`
 */
export async function startMigration(
  { database, connectRegion }: MigrationParts,
  selection: RoomSelection,
  call: StartingCall,
): Promise<string> {
  const { caller, requestId } = call
  checkNotEmpty(selection)
  const request = { caller, route: 'startLiveMigration', key: call.header('idempotency-key'), body: selection }
  const earlier = await findStarted(database.db, request)
  if (earlier !== null) return earlier
  const { sourceRegion, targetRegion } = await findMigration(database.db, selection.liveMigrationData.id)
  await learnInstances(database.db, connectRegion, [sourceRegion, targetRegion])
  return startOnce(database, request, async (tx) => {
    const { id } = selection.liveMigrationData
    const migration = await lockMigration(tx, id)
    await checkMayStart(tx, migration)
    const source = { id: migration.sourceRegion, name: migration.sourceName }
    await checkMovable(tx, selection, source)
    const rooms = await roomsInOrder(tx, selection, source.id)
    if (rooms.length === 0) throw nothingSelected()
    const { skippActiveSessions: skipActiveSessions } = selection
    const start = { migration, rooms, skipActiveSessions, startedBy: caller.actor, requestId }
    const operationId = await startMigrationRun(tx, start)
    await recordChange(tx, {
      kind: 'live-migration.start',
      migrationId: id,
      actor: caller.actor,
      detail: because(skipActiveSessions ? 'audit-started-skipping' : 'audit-started', {
        way: wayOf(migration),
        rooms: rooms.length,
      }),
      operationId,
      requestId,
    })
    return operationId
  })
}

/** A disabled source can be emptied; nothing is moved to a disabled target. */
async function checkMayStart(tx: Tx, migration: LockedMigration): Promise<void> {
  const reason = whyNotStartMigration(migration)
  if (reason !== null) throw refuse(reason)
  const { sourceName: source, targetName: target, targetIsDisabled, isSameServer } = migration
  const [obstacle] = whyNotMoveBetween({ source, target, targetIsDisabled, isSameServer })
  if (obstacle?.code === 'region-disabled') throw refuse('region-disabled', { region: target })
  if (obstacle?.code === 'same-server') throw refuse('same-server', { source, target })
  const minutes = await minutesToWait(tx, migration.targetRegion)
  if (minutes > 0) throw refuse('migration-too-early', { minutes })
}
