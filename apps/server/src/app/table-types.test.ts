import { expect, test } from 'vitest'
import { columnOf } from '#platform/column-names.ts'
import { queryRows } from '#platform/database.ts'
import { consoleColumns } from '#rooms/records/console-record.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { type Column, readSchema, readTableTypes } from './table-types.test-support.ts'

/** Tables that only triggers, functions and plain SQL use. */
const withoutTypes = [
  'audit_head',
  'audit_seals',
  'audit_unsealed',
  'bulk_selections',
  'operation_item_counts',
  'room_months',
  'room_totals',
  'schema_changes',
  'time_looks',
]

const types = readTableTypes()

test('the table types say what the schema says', async () => {
  const { db } = await createTestDatabase()
  const schema = await readSchema(db, withoutTypes)
  expect(schema.length).toBeGreaterThan(200)
  expect(differences(types, schema)).toEqual([])
})

test('the trigger that sends a room to its region again watches every field that only the console knows', async () => {
  const { db } = await createTestDatabase()
  const [trigger] = await queryRows<{ definition: string }>(
    db,
    `select pg_get_triggerdef(oid) as definition from pg_trigger where tgname = 'room_record_due_update'`,
  )
  const { definition = '' } = trigger ?? {}
  const updated = /UPDATE OF (.*) ON /.exec(definition)?.[1]?.split(', ')
  const compared = [...definition.matchAll(/\(old\.(\w+) IS DISTINCT FROM new\.\1\)/g)].map(([, column]) => column)
  const expected = ['regionId', ...consoleColumns].map((column) => columnOf(column)).sort()
  expect({ updated: updated?.sort(), compared: compared.sort() }).toEqual({ updated: expected, compared: expected })
})

test('whatever a schema change leaves out of the types is noticed', async () => {
  const { db } = await createTestDatabase()
  await queryRows(db, 'create table newcomers (id uuid)')
  await queryRows(db, 'drop table rate_limit_hits')
  await queryRows(db, 'alter table uploads add column colour text, drop column sha256')
  await queryRows(db, 'alter table regions alter name drop not null, alter embedded_name set not null')
  await queryRows(db, 'alter table maintenance alter message type integer using 1')
  // A column that a trigger names cannot get another type.
  await queryRows(db, 'drop trigger regions_version on regions')
  await queryRows(
    db,
    `alter table regions alter source_regions drop default, alter source_regions type text[] using '{}'`,
  )
  await queryRows(db, 'alter table workers alter heartbeat_at drop default, alter started_at drop default')
  await queryRows(
    db,
    'alter table late_calls drop column fence, add column fence integer generated always as (1) stored',
  )
  await queryRows(db, `alter type product add value 'MUSIC'`)
  await queryRows(db, 'alter table operators drop constraint operators_role_check')
  await queryRows(db, `alter table operators add check (role in ('CLOUD_SUPPORT', 'CLOUD_GUEST'))`)
  const noticed = differences(types, await readSchema(db, withoutTypes))
  expect(noticed.filter((each) => !each.startsWith('rate_limit_hits.'))).toEqual([
    'late_calls.fence can be null',
    'late_calls.fence is never given to a new row',
    'maintenance.message is a number',
    'newcomers.id is in the schema only',
    'operators.role is CLOUD_GUEST or CLOUD_SUPPORT',
    'regions.embedded_name cannot be null',
    'regions.embedded_name is required of a new row',
    'regions.name can be null',
    'regions.source_regions is a list of strings',
    'regions.source_regions is required of a new row',
    'rooms.product is ARIS or ENTERPRISE or MINING or MUSIC',
    'uploads.colour is in the schema only',
    'uploads.sha256 is in the types only',
    'workers.heartbeat_at is required of a new row',
    'workers.started_at is required of a new row',
  ])
  expect(noticed).toContain('rate_limit_hits.caller is in the types only')
})

function differences(types: readonly Column[], schema: readonly Column[]): string[] {
  const said = new Map(types.map((column) => [column.name, column]))
  const real = new Set(schema.map(({ name }) => name))
  const extra = types.filter(({ name }) => !real.has(name)).map(({ name }) => `${name} is in the types only`)
  const wrong = schema.flatMap((column) => {
    const type = said.get(column.name)
    return type === undefined ? [`${column.name} is in the schema only`] : differencesOf(type, column)
  })
  return [...extra, ...wrong].sort()
}

function differencesOf(type: Column, column: Column): string[] {
  const { name, kind, isList, isNullable, values, whenInserted } = column
  const isAnother = kind !== 'document' && (type.kind !== kind || type.isList !== isList)
  const wrong = [
    [type.isNullable !== isNullable, isNullable ? 'can be null' : 'cannot be null'],
    [isAnother, isList ? `is a list of ${kind}s` : `is a ${kind}`],
    [values !== null && type.values?.join() !== values.join(), `is ${values?.join(' or ')}`],
    [!suffices(type, column), whenInserted === 'never' ? 'is never given to a new row' : 'is required of a new row'],
  ] as const
  return wrong.flatMap(([isWrong, text]) => (isWrong ? [`${name} ${text}`] : []))
}

/** The types may be stricter than the schema: a column that the schema fills in may be required or forbidden. */
function suffices(type: Column, { whenInserted }: Column): boolean {
  return whenInserted === 'optional' || type.whenInserted === whenInserted
}
