/** The types that the code claims for statements, compared with what PostgreSQL says of them. Nothing is run. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { queryRows } from '#platform/database.ts'
import { createTestDatabase } from '../../test/test-database.ts'
import { differences } from './statements/compare.test-support.ts'
import { type Described, Describer } from './statements/describe.test-support.ts'
import { findStatements, type Statement } from './statements/find-statements.test-support.ts'

const found = findStatements(join(import.meta.dirname, '..'))

/** What the schema permits and the condition of the statement rules out. */
const ruledOut = new Set([
  'backup-policies/tidy-policies.ts state can be failed or missed or waiting',
  'doctor/checks/check-moved.ts at can be null',
  'live-migrations/operations/room-outcome.ts migrationId can be null',
  'live-migrations/operations/room-outcome.ts operationId can be null',
  'live-migrations/progress.ts operationId can be null',
  'live-migrations/progress.ts startedAt can be null',
  'operations/engine/lease.ts pid can be null',
  'operations/operation-routes.ts endedAt can be null',
  'operations/operation-routes.ts state can be cancelling or running or waiting',
  'webhooks/delivery-routes.ts claim can be null',
])

test('every statement is valid, and its row type and values are what the schema says', async () => {
  const { url } = await createTestDatabase()
  expect(found.statements.length).toBeGreaterThan(400)
  expect(await allDifferences(url)).toEqual([...ruledOut])
}, 300_000)

test('only queryComposed runs texts that are not known here', () => {
  expect(found.composed).toEqual([])
})

test('what is removed for good is removed by the steady time', () => {
  // What these hold counts for hours at most.
  const shortLived =
    /delete from (backup_tickets|console_assets|download_tickets|events|failed_sign_ins|process_faults|rate_limit_hits|sessions)\b/
  const byNow = found.statements.filter(({ texts }) =>
    texts.some(
      (text) =>
        /(delete from|set former_secrets =|set input =)[^;]*[<>]=? now\(\)/.test(text) && !shortLived.test(text),
    ),
  )
  expect(byNow.map(({ place }) => place)).toEqual([])
})

test('a connection can prepare all of them: there are not too many', () => {
  expect(new Set(found.statements.flatMap(({ texts }) => texts)).size).toBeLessThan(800)
})

test('what a change of the schema makes wrong is noticed', async () => {
  const { url, db } = await createTestDatabase()
  await queryRows(db, 'alter table maintenance drop column message')
  await queryRows(db, 'alter table backup_store alter id drop not null')
  await queryRows(db, 'alter table rate_limit_hits alter caller type integer using 1')
  await queryRows(db, `alter type room_state add value 'FROZEN'`)
  const noticed = (await allDifferences(url)).filter((each) => !ruledOut.has(each))
  const shortened = noticed.map((each) => each.replace(/:\d+ (column "\w+").*/, ' $1'))
  expect([...new Set(shortened)]).toEqual([
    'changes/webhook-outbox.ts state can be FROZEN',
    'doctor/repairs/repair-kind.ts state can be FROZEN',
    'doctor/walk/merge-rooms.ts state can be FROZEN',
    'doctor/walk/settle-suspect.ts state can be FROZEN',
    'live-migrations/operations/start-move.ts state can be FROZEN',
    'maintenance/maintenance-routes.ts column "message"',
    'operations/end-operations.ts state can be FROZEN',
    'platform/file-store/marked-store.ts id can be null',
    'platform/rate-limit.ts $2 is integer, not string',
    'rooms/change-state.ts was can be FROZEN',
    'rooms/find-room.ts state can be FROZEN',
    'rooms/lifecycle/change-routes.ts state can be FROZEN',
    'rooms/list/list-rooms.ts state can be FROZEN',
    'rooms/stored-room.ts state can be FROZEN',
  ])
}, 300_000)

test('no row gets another column with one of a table: what is prepared would fail', async () => {
  const { url, db } = await createTestDatabase()
  const columnsOf = () => describeAll(url, ({ place }, { columns }) => [`${place} ${columns.map(({ name }) => name)}`])
  const before = await columnsOf()
  await queryRows(
    db,
    `do $$ declare named text; begin
       for named in select tablename from pg_tables where schemaname = 'public'
       loop execute format('alter table %I add column added integer', named); end loop;
     end $$`,
  )
  expect(await columnsOf()).toEqual(before)
}, 300_000)

function allDifferences(url: string): Promise<string[]> {
  return describeAll(url, (statement, described) =>
    differences(found.checker, statement, described).map((each) => `${statement.place.replace(/:.*/, '')} ${each}`),
  )
}

async function describeAll(url: string, report: (statement: Statement, described: Described) => string[]) {
  const describer = await Describer.open(url)
  const reported = new Set<string>()
  for (const statement of found.statements)
    for (const text of statement.texts) {
      const lines = await describer.describe(text).then(
        (described) => report(statement, described),
        (error: Error) => [`${statement.place} ${error.message}: ${text.replace(/\s+/g, ' ')}`],
      )
      for (const line of lines) reported.add(line)
    }
  await describer.close()
  return [...reported].sort()
}
