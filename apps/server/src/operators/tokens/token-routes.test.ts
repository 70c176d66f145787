/** Which API tokens housekeeping removes. */
import { beforeEach, expect, it } from 'vitest'
import { queryRows } from '#platform/database.ts'
import { lookAtTime } from '#platform/steady-time.ts'
import { createTestDatabase } from '../../../test/test-database.ts'
import { removeOldTokens } from './token-routes.ts'

const { db } = await createTestDatabase()
beforeEach(async () => {
  await lookAtTime(db)
  await queryRows(db, 'truncate operators cascade')
  await queryRows(
    db,
    `insert into operators (email, name, role, password_hash)
     select n || '@example.com', n, 'CLOUD_SUPPORT', '' from unnest(array['ada', 'grace']) n`,
  )
})

/** @param expires in days from now; revoked, too, null: it was not */
async function insert(owner: string, name: string, expires: number, revoked: number | null = null): Promise<void> {
  await queryRows(
    db,
    `insert into api_tokens (operator_id, name, role, token_hash, expires_at, revoked_at)
     select id, $2, role, sha256(convert_to($1 || $2, 'UTF8')), now() + make_interval(days => $3),
            now() + make_interval(days => $4) from operators where name = $1`,
    [owner, name, expires, revoked],
  )
}

async function left(owner: string): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    db,
    `select t.name from api_tokens t join operators o on o.id = t.operator_id where o.name = $1 order by t.name`,
    [owner],
  )
  return rows.map(({ name }) => name)
}

it('those that expired or were revoked 30 days ago', async () => {
  await insert('ada', 'active', 1)
  await insert('ada', 'expired', -29)
  await insert('ada', 'expired long ago', -31)
  await insert('ada', 'revoked', 60, -29)
  await insert('ada', 'revoked long ago', 60, -31)
  await insert('ada', 'revoked after it expired', -31, -1)
  await removeOldTokens(db)
  expect(await left('ada')).toEqual(['active', 'expired', 'revoked'])
})

it('all but the 100 of each operator that were revoked last', async () => {
  for (let n = 0; n < 103; n += 1) await insert('ada', `ada ${n}`, 60, -(n % 20))
  for (let n = 0; n < 3; n += 1) await insert('grace', `grace ${n}`, 60, -20)
  await insert('ada', 'active', 60)
  await removeOldTokens(db)
  expect(await left('ada')).toHaveLength(101)
  expect(await left('ada')).toContain('active')
  expect((await left('ada')).filter((name) => /^ada (19|39|59|79|99)$/.test(name))).toHaveLength(2)
  expect(await left('grace')).toHaveLength(3)
})
