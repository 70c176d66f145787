import { expect, test } from 'vitest'
import { columnOf } from '#platform/column-names.ts'
import { queryRows } from '#platform/database.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { consoleColumns } from './console-record.ts'

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
