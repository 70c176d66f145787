import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestDatabase } from './digest-content.ts'

function databaseWith(sql: string): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(sql)
  return database
}

function sha256Of(lines: readonly string[]): string {
  return createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex')
}

const kinds = `
  CREATE TABLE mixed (id INTEGER PRIMARY KEY, value);
  INSERT INTO mixed VALUES (1, NULL), (2, 9007199254740993), (3, 1.5), (4, 'ä "quoted" \\ 😀'), (5, x'00ff'),
    (6, CAST(x'61ff80f0' AS TEXT)), (7, char(10, 1, 8232)), (8, 1e999), (9, ''), (10, x'');
  CREATE TABLE keyed (b, a TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
  INSERT INTO keyed VALUES (2, 'y'), (1, 'y'), (3, 'X');
  CREATE TABLE loose (a, b, c AS (a + 1));
  INSERT INTO loose VALUES (2, 1), (1, 2);
  CREATE VIEW left_out AS SELECT 1;
`

// shows: stored-digest-form
test('the digest is that of the lines that are written down for other regions', () => {
  expect(digestDatabase(databaseWith(kinds))).toBe(
    sha256Of([
      '["table","keyed","a","b"]',
      '["tX","i3"]',
      '["ty","i1"]',
      '["ty","i2"]',
      '["table","loose","a","b"]',
      '["i1","i2"]',
      '["i2","i1"]',
      '["table","mixed","id","value"]',
      '["i1",null]',
      '["i2","i9007199254740993"]',
      '["i3","r1.5"]',
      JSON.stringify(['i4', 't' + 'ä "quoted" \\ 😀']),
      '["i5","b00ff"]',
      JSON.stringify(['i6', 'ta\ufffd\ufffd\ufffd']),
      JSON.stringify(['i7', 't\n\u0001\u2028']),
      '["i8","rInfinity"]',
      '["i9","t"]',
      '["i10","b"]',
    ]),
  )
})

test('what is behind a NUL in a text counts', () => {
  const digests = ['a', 'b'].map((end) =>
    digestDatabase(databaseWith(`CREATE TABLE t (a); INSERT INTO t VALUES ('x' || char(0) || '${end}')`)),
  )
  expect(digests[0]).toBe(sha256Of(['["table","t","a"]', JSON.stringify(['tx\u0000a'])]))
  expect(digests[1]).not.toBe(digests[0])
})

test('texts that are taken as bytes give the same digest, in any encoding', () => {
  const long = `CREATE TABLE long (a); INSERT INTO long VALUES (CAST(x'ff' AS TEXT) || replace(hex(zeroblob(1700000)), '0', 'aä"😀'))`
  for (const encoding of ['UTF-8', 'UTF-16le', 'UTF-16be']) {
    const sql = `PRAGMA encoding = '${encoding}'; ${encoding === 'UTF-8' ? kinds + long : long.replace("CAST(x'ff' AS TEXT) ||", '')}`
    const database = databaseWith(sql)
    expect(digestDatabase(database, { asBytes: true }), encoding).toBe(digestDatabase(database))
  }
})

test('a BLOB of more than 256 MB is digested', () => {
  const bytes = 270_000_000
  const hash = createHash('sha256').update('["table","t","a"]\n["b')
  const zeros = '0'.repeat(1_000_000)
  for (let done = 0; done < 2 * bytes; done += zeros.length) hash.update(zeros)
  const expected = hash.update('"]\n').digest('hex')
  expect(digestDatabase(databaseWith(`CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(${bytes}))`))).toBe(expected)
})

/** What a row is digested to, said as simply as possible. */
function lineOf(row: readonly unknown[]): string {
  const texts = row.map((value) => {
    if (value === null) return null
    if (typeof value === 'bigint') return `i${value}`
    if (typeof value === 'number') return `r${value}`
    if (typeof value === 'string') return `t${value}`
    return `b${Buffer.from(value as Uint8Array).toString('hex')}`
  })
  return `${JSON.stringify(texts)}\n`
}

function simpleDigestOf(database: DatabaseSync): string {
  const rows = database.prepare('SELECT a, b, id FROM t ORDER BY id')
  rows.setReadBigInts(true)
  rows.setReturnArrays(true)
  const hash = createHash('sha256').update('["table","t","a","b","id"]\n')
  for (const row of rows.iterate() as Iterable<unknown> as Iterable<unknown[]>) hash.update(lineOf(row))
  return hash.digest('hex')
}

/** In bytes; a longer text is read as bytes. */
const long = 1 << 16

/** As SQL, so that SQLite keeps the bytes also of what is no UTF-8. */
const values = fc.oneof(
  fc.constantFrom('NULL', '0', '-9223372036854775808', '9223372036854775807', '-0.0', '1e999', '-1e999', "''", "x''"),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => `${value.toExponential()}`),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => `x'${Buffer.from(bytes).toString('hex')}'`),
  fc
    .tuple(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 30 }).map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
        fc.constantFrom('"', '\\', '\0', 'ä"', 'x').map((text) => Buffer.from(text)),
      ),
      fc.oneof(fc.constant(1), fc.nat(50), fc.constantFrom(long / 8, long - 1, long, long + 1)),
    )
    .map(([bytes, times]) => {
      const start = `CAST(x'${bytes.toString('hex')}' AS TEXT)`
      // replace() would end at a NUL.
      return times === 1 || bytes.includes(0)
        ? start
        : `CAST(replace(hex(zeroblob(${times})), '00', ${start}) AS TEXT) || CAST(x'ff61' AS TEXT)`
    }),
)

test('whatever a table holds, the digest is that of its lines', () => {
  const encodings = fc.constantFrom('UTF-8', 'UTF-8', 'UTF-16le', 'UTF-16be')
  const rows = fc.array(fc.tuple(values, values), { maxLength: 6 })
  fc.assert(
    fc.property(encodings, rows, (encoding, found) => {
      const inserts = found.map(([a, b], id) => `INSERT INTO t VALUES (${id}, ${a}, ${b});`)
      const create = `PRAGMA encoding = '${encoding}'; CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);`
      const database = databaseWith(`${create} ${inserts.join('\n')}`)
      try {
        expect(digestDatabase(database)).toBe(simpleDigestOf(database))
      } finally {
        database.close()
      }
    }),
    { numRuns: 200 },
  )
})

test('a long text counts as the same wherever it is among short ones, and in a table without a key', () => {
  const text = JSON.stringify({ text: `ä😀\n${'"'.repeat(70_000)}` }).replaceAll("'", "''")
  for (const position of [0, 199, 200, 250]) {
    const rows = Array.from({ length: 260 }, (_, index) => (index === position ? text : `text ${index}`))
    const inserts = rows.map((row, index) => `INSERT INTO t VALUES (${index}, '${row}');`).join('\n')
    const lines = rows.map((row, index) => JSON.stringify([`i${index}`, `t${row}`]))
    for (const create of ['CREATE TABLE t (a, b);', 'CREATE TABLE t (a PRIMARY KEY, b) WITHOUT ROWID;'])
      expect(digestDatabase(databaseWith(create + inserts))).toBe(sha256Of(['["table","t","a","b"]', ...lines]))
  }
})

test('a long text that is no UTF-8 counts as it would in a string, also where pieces of it end', () => {
  const text = `CAST(replace(hex(zeroblob(${(1 << 24) - 4})), '00', 'x') || CAST(x'f09f98808080' AS TEXT) AS TEXT)`
  const database = databaseWith(`CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, ${text}, 2)`)
  expect(digestDatabase(database)).toBe(simpleDigestOf(database))
})
