import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
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
