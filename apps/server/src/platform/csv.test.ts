import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { CsvForm } from '@roomkeeper/contract'
import { defused } from '@roomkeeper/rules'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { createEmptyDatabase, openTestPool } from '../../test/test-database.ts'
import { CrlfLines, defusedSql, streamCsv, timeSql } from './csv.ts'

const pool = openTestPool({ connectionString: await createEmptyDatabase(), max: 3 })
afterAll(() => pool.end())

test('lines end with CRLF, but a line feed within quotes stays as it is', async () => {
  const csv = await text(
    await streamCsv(pool, `select 'one' || chr(10) || 'two' as a, 'said "x"' as "b,c" union all select '', null`),
  )
  expect(csv).toBe('a,"b,c"\r\n"one\ntwo","said ""x"""\r\n"",\r\n')
})

test('wherever the text is cut into chunks, it is converted the same', async () => {
  const csvText = fc
    .array(fc.constantFrom('a', '"', '\n', ',', 'ø', '""', '"\n"'), { maxLength: 60 })
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(csvText, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), async (csv, sizes) => {
      const converted = await buffer(Readable.from(chunksOf(Buffer.from(csv), sizes)).pipe(new CrlfLines()))
      expect(converted.toString()).toBe(naiveCrlf(csv))
    }),
    { numRuns: 500 },
  )
})

// shows: rooms-csv-cells
test.each(['=1+1', '+49 30 1', '-5', '@sum', '\tx', '\rx', '＝1+1', '＠sum'])(
  'a cell that begins like %j is no formula',
  async (cell) => {
    const { rows } = await pool.query(`select ${defusedSql('$1::text')} as cell`, [cell])
    expect(rows[0].cell).toBe(`'${cell}`)
    expect(defused(cell)).toBe(`'${cell}`)
  },
)

test.each(['', 'a=1', 'Ørsted', "'=1", ' =1', '\nx'])('a cell like %j stays as it is', async (cell) => {
  const { rows } = await pool.query(`select ${defusedSql('$1::text')} as cell`, [cell])
  expect(rows[0].cell).toBe(cell)
  expect(defused(cell)).toBe(cell)
})

test.each([
  ['x;=1+1;y', "x;'=1+1;y"],
  [';-1;;+2', ";'-1;;'+2"],
  ['a\n=1\r\n@b\t=c', "a\n'=1\r\n'@b\t'=c"],
  ['=a;=b', "'=a;'=b"],
  ['x;"=1;y', `x;"'=1;y`],
  ['a;b=c', 'a;b=c'],
  ['\t=1', "'\t'=1"],
])('a formula in a cell that another separator may cut is none: %j', async (cell, expected) => {
  const { rows } = await pool.query(`select ${defusedSql('$1::text')} as cell`, [cell])
  expect([rows[0].cell, defused(cell)]).toEqual([expected, expected])
})

test('for Excel there are a byte order mark, the separator of the language and times without letters', async () => {
  const time = "'2026-11-28 12:00:00.9Z'::timestamptz"
  const csv = async (form: CsvForm) => {
    const rows = `select 'ü;"' as a, 15 as b, ${timeSql(time, form)} as c`
    return (await buffer(await streamCsv(pool, rows, { form }))).toString()
  }
  expect(await csv('programs')).toBe('a,b,c\r\n"ü;""",15,"2026-11-28T12:00:00Z"\r\n')
  expect(await csv('excel')).toBe('\ufeffa,b,c\r\n"ü;""",15,"2026-11-28 12:00:00"\r\n')
  expect(await csv('excel-semicolon')).toBe('\ufeffa;b;c\r\n"ü;""";15;"2026-11-28 12:00:00"\r\n')
})

test('a reader that goes away ends the statement and gives the connection back', async () => {
  const stream = await streamCsv(pool, `select repeat('x', 1000) as pad, generate_series(1, 50000000) as n`)
  await new Promise((resolve) => stream.once('data', resolve))
  stream.destroy()
  await expect.poll(() => copiesRunning(), { timeout: 10_000 }).toBe(0)
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
})

test('a reader that takes nothing is cut, and its connection is free again', async () => {
  let isFree = false
  const onFree = () => {
    isFree = true
  }
  const query = `select repeat('x', 1000) as pad, generate_series(1, 50000000) as n`
  const stream = await streamCsv(pool, query, { stallSeconds: 0.1, onFree })
  const [error] = await once(stream, 'error').catch((failed) => [failed])
  expect(error.message).toContain('takes nothing')
  await expect.poll(() => isFree, { timeout: 10_000 }).toBe(true)
  await expect.poll(() => copiesRunning(), { timeout: 10_000 }).toBe(0)
})

test('a reader that goes on is cut when its time is over, and its connection is free again', async () => {
  let isFree = false
  const onFree = () => {
    isFree = true
  }
  const query = `select repeat('x', 1000) as pad, generate_series(1, 50000000) as n`
  const slow = await streamCsv(pool, query, { stallSeconds: 0.2, maxSeconds: 1, onFree })
  const reading = (async () => {
    for await (const _ of slow) await pause(20)
  })()
  await expect(reading).rejects.toThrow('takes too long')
  await expect.poll(() => isFree, { timeout: 10_000 }).toBe(true)
})

test('a reader that is slow, or waits for a slow statement, is not cut', async () => {
  const rows = (n: number) => `select repeat('x', 1000) as pad, generate_series(1, ${n}) as n`
  const slow = await streamCsv(pool, rows(1000), { stallSeconds: 0.2 })
  let bytes = 0
  for await (const chunk of slow) {
    bytes += chunk.length
    await pause(20)
  }
  expect(bytes).toBeGreaterThan(1_000_000)
  expect(await text(await streamCsv(pool, 'select 1 as a from pg_sleep(0.7)', { stallSeconds: 0.1 }))).toBe(
    'a\r\n1\r\n',
  )
})

test('a statement that fails half way breaks the stream', async () => {
  const stream = await streamCsv(pool, 'select 1 / (20000 - n) from generate_series(1, 30000) as n')
  await expect(text(stream)).rejects.toThrow('division by zero')
  expect((await pool.query('select 1 as up')).rows).toEqual([{ up: 1 }])
})

async function copiesRunning(): Promise<number> {
  const { rows } = await pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and query like 'copy (%' and state = 'active'`,
  )
  return rows.length
}

function* chunksOf(whole: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0
  for (let turn = 0; at < whole.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield whole.subarray(at, at + size)
    at += size
  }
}

function naiveCrlf(csv: string): string {
  let isQuoted = false
  return [...csv]
    .map((letter) => {
      if (letter === '"') isQuoted = !isQuoted
      return letter === '\n' && !isQuoted ? '\r\n' : letter
    })
    .join('')
}
