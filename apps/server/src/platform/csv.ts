/** CSV, streamed from PostgreSQL by COPY and safe to open in a spreadsheet. */
import { type Readable, Transform } from 'node:stream'
import { type CsvForm, csvSeparators } from '@roomkeeper/contract'
import { beforeFormulas, cellEnds, formulaStarts } from '@roomkeeper/rules'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

const codesOfStarts = formulaStarts.map((start) => start.codePointAt(0)).join(', ')
const codesOfEnds = cellEnds.map((end) => end.codePointAt(0))

/**
 * An SQL expression that does what `defused` of the rules does.
 * @param text an SQL expression of type text that is cheap to repeat, such as a column
 */
export function defusedSql(text: string): string {
  // The pattern alone would take as long as the rest of an export.
  const isSuspect = [
    `ascii(${text}) in (${codesOfStarts})`,
    ...codesOfEnds.map((code) => `strpos(${text}, chr(${code})) > 0`),
  ]
  return `case when ${isSuspect.join(' or ')} then regexp_replace(${text}, '${beforeFormulas}', '''', 'g') else ${text} end`
}

/**
 * An SQL expression for a time, in UTC.
 * @param digits of a second: 0 or 3
 */
export function timeSql(time: string, form: CsvForm, digits: 0 | 3 = 0): string {
  // Excel reads a second's digits as its language writes them. Text functions take half the time of to_char.
  if (form !== 'programs') return `date_trunc('second', ${time} at time zone 'UTC')::text`
  if (digits === 3) return `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  return `replace(date_trunc('second', ${time} at time zone 'UTC')::text, ' ', 'T') || 'Z'`
}

export interface StreamOptions {
  /** Default: for programs. */
  form?: CsvForm
  /** A reader that takes nothing for this time is disconnected, at the latest after twice this time. */
  stallSeconds?: number
  /** A reader that has not taken everything after this time is disconnected: a slow one would keep the connection for ever. */
  maxSeconds?: number
  /** Called once, when the database connection is free again. */
  onFree?: () => void
}

/**
 * Streams the rows of a query with a header row and CRLF line ends, and keeps nothing in memory. When the stream is
 * destroyed early, another connection of the pool cancels the statement.
 * @param query without parameters; its column names are the header
 */
export async function streamCsv(pool: pg.Pool, query: string, options: StreamOptions = {}): Promise<Readable> {
  const { form = 'programs', stallSeconds = 30, maxSeconds = 3600, onFree = () => undefined } = options
  const client = await pool.connect()
  const copy = await copyStatement(client, query, form).catch((error: Error) => {
    client.release(error)
    throw error
  })
  const rows = client.query(copyTo(copy))
  const lines = new CrlfLines()
  if (form !== 'programs') lines.write(byteOrderMark)
  let isOver = false
  const finish = (error?: Error) => {
    if (isOver) return
    isOver = true
    clearInterval(watching)
    clearTimeout(late)
    client.release(error)
    onFree()
  }
  const watching = setInterval(() => lines.cutWhenStalled(), stallSeconds * 1000)
  const late = setTimeout(() => lines.destroy(new Error('The reader of an export takes too long.')), maxSeconds * 1000)
  rows.on('error', (error) => {
    finish(error)
    lines.destroy(error)
  })
  rows.once('end', () => finish())
  lines.once('close', () => {
    if (isOver) return
    // The connection is in the middle of an unread answer, so it is discarded once the statement has ended.
    void cancelStatement(pool, client).finally(() => finish(new Error('The export was cancelled.')))
  })
  return rows.pipe(lines)
}

const byteOrderMark = Buffer.from('\ufeff')
const { INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC } = pg.types.builtins
const numbers: readonly number[] = [INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC]

/** Everything but numbers is quoted. */
async function copyStatement(client: pg.PoolClient, query: string, form: CsvForm): Promise<string> {
  const { fields } = await client.query(`select * from (${query}) as rows limit 0`)
  const quoted = fields
    .filter(({ dataTypeID }) => !numbers.includes(dataTypeID))
    .map(({ name }) => pg.escapeIdentifier(name))
  const forced = quoted.length === 0 ? '' : `, force_quote (${quoted.join(', ')})`
  return `copy (${query}) to stdout with (format csv, header, delimiter '${csvSeparators[form]}'${forced})`
}

async function cancelStatement(pool: pg.Pool, client: pg.PoolClient): Promise<void> {
  const { processID } = client as pg.PoolClient & { processID: number | null }
  await pool.query('select pg_cancel_backend($1)', [processID]).catch(() => undefined)
}

const quote = 0x22
const lineFeed = 0x0a

/** Turns PostgreSQL's line feeds at row ends into CRLF; a line feed within quotes belongs to the text. */
export class CrlfLines extends Transform {
  #isQuoted = false
  #given = 0
  #lastSeen = { given: 0, waiting: 0 }

  /** Ends the stream when its reader has read nothing since the last check. */
  cutWhenStalled(): void {
    const seen = { given: this.#given, waiting: this.readableLength }
    const isStalled = seen.waiting > 0 && seen.given === this.#lastSeen.given && seen.waiting === this.#lastSeen.waiting
    this.#lastSeen = seen
    if (isStalled) this.destroy(new Error('The reader of an export takes nothing any more.'))
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#given += chunk.length
    done(null, this.#convert(chunk))
  }

  #convert(chunk: Buffer): Buffer {
    const result = Buffer.allocUnsafe(chunk.length + countByte(chunk, lineFeed))
    let isQuoted = this.#isQuoted
    let written = 0
    let copied = 0
    // Nearly every cell has quotes, so looking for the next one would take longer than looking at each byte.
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]
      if (byte === quote) isQuoted = !isQuoted
      else if (byte === lineFeed && !isQuoted) {
        written += chunk.copy(result, written, copied, at)
        result[written++] = 0x0d
        copied = at
      }
    }
    this.#isQuoted = isQuoted
    written += chunk.copy(result, written, copied)
    return result.subarray(0, written)
  }
}

function countByte(chunk: Buffer, byte: number): number {
  let count = 0
  for (let at = chunk.indexOf(byte); at !== -1; at = chunk.indexOf(byte, at + 1)) count++
  return count
}
