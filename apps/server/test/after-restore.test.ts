/** A restored dump goes on only with operations of which is known that they remove or replace nothing on a region. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import { expect, it } from 'vitest'
import { registeredKinds } from '#app/operation-kinds.ts'

const harmless = [
  'backup.verify',
  'database.backup',
  'doctor.run',
  'room.backup',
  'room.backup-d2o',
  'room.backup-scheduled',
  'room.backup-scheduled-d2o',
  'room.create',
  'room.edit',
  'room.notify',
  'room.remind',
  'room.resume',
  'room.suspend',
  'room.update-system-database',
  'system-databases.update',
]

it('every kind of operation either goes on after the restore of a dump, or is parked by after-restore.sql', () => {
  const script = readFileSync(join(repository, 'deploy/after-restore.sql'), 'utf8')
  const [, list = ''] = /and kind in \(([^)]+)\)/.exec(script) ?? []
  const parked = [...list.matchAll(/'([^']+)'/g)].map(([, kind]) => kind ?? '')
  const registered = [...new Set(registeredKinds.map(({ kind }) => kind))]
  expect([...parked, ...harmless].toSorted()).toEqual(registered.toSorted())
})
