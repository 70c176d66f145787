/** Step ids never change: records, regions and other programs know steps by them. Changed steps need a new version. */
import { expect, it } from 'vitest'
import { registeredKinds } from './operation-kinds.ts'

it('kinds, versions and ids of steps are these', () => {
  const known = registeredKinds.map(({ kind, version, steps }) => `${kind} ${version}: ${idsOf(steps).join(', ')}`)
  expect(known.sort()).toEqual([
    'backup.verify 1: send-backup, verify-backup, remove-sent-backup, record-verification',
    'bulk.run 1: work-through-rooms',
    'database.backup 1: export-database, store-backup, read-backup-back, record-backup',
    'database.delete 1: delete-database',
    'database.import 1: check-databases, send-database, import-database',
    'database.restore 1: send-backup, restore-database',
    'doctor.repair 1: check-first, repair, recheck',
    'doctor.run 1: compare-everything',
    'migration.force-delete 1: remove-copies',
    'migration.leave-source 1: remove-source',
    'migration.leave-target 1: remove-copy',
    'migration.open-target 1: open-target',
    'migration.run 1: move-rooms',
    'room.backup 1: make-backup, store-backup, read-backup-back, record-backup',
    'room.backup-d2o 1: write-backup, record-backup',
    'room.backup-scheduled 1: make-backup, store-backup, read-backup-back, record-backup',
    'room.backup-scheduled-d2o 1: write-backup, record-backup',
    'room.create 1: check-name, create-room, check-room, tell-customers',
    'room.create-from-backup 1: check-name, create-room, send-backups, restore-room, send-settings, check-room, tell-customers',
    'room.delete 1: check-room, suspend-room, make-backup, store-backup, read-backup-back, record-backup, require-backup, delete-room',
    'room.edit 1: change-room',
    'room.import 1: check-name, create-room, send-backups, restore-room, send-settings, check-room, tell-customers',
    'room.migrate 1: check-lock, check-sessions, lock-source, back-room-up, create-copy, restore-copy, compare-copies, switch, open-target, leave-source',
    'room.notify 1: tell-customers',
    'room.purge 1: find-traces, remove-backups, purge-regions, recheck, certify',
    'room.remind 1: tell-stakeholders',
    'room.restore 1: check-room, send-backup, restore-room, send-settings',
    'room.restore-d2o 1: check-room, restore-from-object-store, send-settings',
    'room.restore-deleted 1: check-name, create-room, send-backup, restore-room, send-settings, check-room, put-state-back',
    'room.restore-new 1: check-name, create-room, send-backups, restore-room, send-settings, check-room, tell-customers',
    'room.resume 1: resume-room, tell-stakeholders',
    'room.suspend 1: suspend-room, tell-stakeholders',
    'room.update-system-database 1: look-at-room, update-system-database',
    'system-databases.update 1: update-rooms',
  ])
})

it('an id has one title, and a title one id', () => {
  const pairs = new Set(registeredKinds.flatMap(({ steps }) => steps.map(({ id, title }) => `${id}: ${title}`)))
  const ids = new Set(registeredKinds.flatMap(({ steps }) => idsOf(steps)))
  const titles = new Set(registeredKinds.flatMap(({ steps }) => steps.map(({ title }) => title)))
  expect([pairs.size, titles.size]).toEqual([ids.size, ids.size])
})

function idsOf(steps: readonly { id: string }[]): string[] {
  return steps.map(({ id }) => id)
}
