/** docs/architecture.md names every trigger and function of the schema. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from '@roomkeeper/dev-env'
import { expect, test } from 'vitest'
import { queryRows } from '#platform/database.ts'
import { createTestDatabase } from '../../test/test-database.ts'

const { db } = await createTestDatabase()

test('the page names every trigger with its table, and every function', async () => {
  const page = await readFile(join(repository, 'docs/architecture.md'), 'utf8')
  const section = page.split('## Triggers and functions of the schema')[1]?.split('\n## ')[0] ?? ''
  const [triggers = '', functions = ''] = section.split('| function |')
  const named = (rows: string, row: RegExp) => [...rows.matchAll(row)].map(([, ...cells]) => cells.join(' on ')).sort()
  expect(named(triggers, /^\| `(\w+)` \| (\w+) \|/gm)).toEqual(await triggersOfSchema())
  expect(named(functions, /^\| `(\w+)` \|/gm)).toEqual(await functionsOfSchema())
})

async function triggersOfSchema(): Promise<string[]> {
  const triggers = await queryRows<{ name: string }>(
    db,
    `select tgname || ' on ' || relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where not tgisinternal`,
  )
  return triggers.map(({ name }) => name).sort()
}

/** Those of extensions are not ours. */
async function functionsOfSchema(): Promise<string[]> {
  const functions = await queryRows<{ name: string }>(
    db,
    `select proname as name from pg_proc p
      where pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  )
  return functions.map(({ name }) => name).sort()
}
