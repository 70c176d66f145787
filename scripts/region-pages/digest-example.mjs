/** A database with its digest and the lines that are hashed, for docs/region/formats.md. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { digestDatabase } from '../../apps/region/src/rooms/digest-content.ts'

const sql = `CREATE TABLE measures (id INTEGER PRIMARY KEY, value);
INSERT INTO measures VALUES (1, NULL), (2, -9223372036854775808), (3, 1.0), (4, -0.0), (5, 0.1), (6, 1e21), (7, 5e-324),
  (8, 1e999), (9, 'ä "quoted" \\ 😀'), (10, char(10, 1, 127, 8232)), (11, 'x' || char(0) || 'y'),
  (12, CAST(x'61ff80f09f9862eda08063' AS TEXT)), (13, x'00ff'), (14, ''), (15, x'');
CREATE TABLE keyed (b, a TEXT COLLATE NOCASE, PRIMARY KEY (a, b)) WITHOUT ROWID;
INSERT INTO keyed VALUES (10, 'b'), (2, 'b'), (1, 'B'), (3, 'ä');
CREATE TABLE loose (b, a, c AS (a + 1));
INSERT INTO loose VALUES (1, 2), (2, 1), (2, 1);
CREATE VIEW left_out AS SELECT 1;`

export function digestExample() {
  const database = new DatabaseSync(':memory:')
  try {
    database.exec(sql)
    const lines = [
      '["table","keyed","a","b"]',
      ...rowsOf(database, 'SELECT a, b FROM keyed ORDER BY a COLLATE BINARY, b'),
      '["table","loose","a","b"]',
      ...rowsOf(database, 'SELECT a, b FROM loose ORDER BY a, b'),
      '["table","measures","id","value"]',
      ...rowsOf(database, 'SELECT id, value FROM measures ORDER BY id'),
    ]
    const digest = createHash('sha256')
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('hex')
    if (digest !== digestDatabase(database))
      throw new Error('The lines of the example are not those that the region digests.')
    const shown = lines.join('\n').replaceAll('\u2028', '<U+2028>').replaceAll('\u007f', '<U+007F>')
    return [
      'A database that is made by',
      `\`\`\`sql\n${sql}\n\`\`\``,
      'gives these lines. `<U+2028>` and `<U+007F>` stand for the characters themselves, which are not escaped:',
      `\`\`\`text\n${shown}\n\`\`\``,
      `The SHA-256 of the lines, each with its \`\\n\`, is \`${digest}\`. In a room there would be the line \`["database","<name>"]\` before them.`,
    ].join('\n\n')
  } finally {
    database.close()
  }
}

function rowsOf(database, select) {
  const rows = database.prepare(select)
  rows.setReadBigInts(true)
  rows.setReturnArrays(true)
  return [...rows.iterate()].map((row) => JSON.stringify(row.map(textOf)))
}

function textOf(value) {
  if (value === null) return null
  if (typeof value === 'bigint') return `i${value}`
  if (typeof value === 'number') return `r${value}`
  return typeof value === 'string' ? `t${value}` : `b${Buffer.from(value).toString('hex')}`
}
