import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { dumpPath, dumpSchema } from './dump-schema.ts'
import { createTestDatabase } from './test-database.ts'

const { pool } = await createTestDatabase()

test('schema.sql is what the schema changes come to (else: npm run schema:dump -w @roomkeeper/server)', async () => {
  expect(await dumpSchema(pool)).toBe(await readFile(dumpPath, 'utf8'))
})
