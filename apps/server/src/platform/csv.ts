/** CSV as in RFC 4180, streamed from PostgreSQL by COPY and safe to open in a spreadsheet. */
import { type Readable, Transform } from 'node:stream'
import { formulaStarts } from '@roomkeeper/rules'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

const codesOfStarts = formulaStarts.map((start) => start.codePointAt(0)).join(', ')

/**
 * An SQL expression that does what `defused` of the rules does.
 * @param text an SQL expression of type text that is cheap to repeat, such as a column
 */
export function defusedSql(text: string): string {
  return `case when ascii(${text}) in (${codesOfStarts}) then '''' || ${text} else ${text} end`
}

export interface StreamOptions {
  /** A reader that reads nothing is disconnected after this time, at the latest after twice this time. */
  stallSeconds?: number
  /** A reader that has not read everything after this time is disconnected: a slow one would keep the connection for ever. */
  mostSeconds?: number
  /** Called once, when the database connection is free again. */
  onFree?: () => void
}

/**
 * Streams the rows of a query with a header row and CRLF line ends, and keeps nothing in memory. When the stream is
 * destroyed early, another connection of the pool cancels the statement.
 * @param query without parameters; its column names are the header
 */
export async function streamCsv(pool: pg.Pool, query: string, options: StreamOptions = {}): Promise<Readable> {
  const { stallSeconds = 30, mostSeconds = 3600, onFree = () => undefined } = options
  const client = await pool.connect()
  const rows = client.query(copyTo(`copy (${query}) to stdout with (format csv, header)`))
  const lines = new CrlfLines()
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
  const late = setTimeout(() => lines.destroy(new Error('The reader of an export takes too long.')), mostSeconds * 1000)
  rows.on('error', (error) => {
    finish(error)
    lines.destroy(error)
  })
  rows.once('end', () => finish())
  lines.once('close', () => {
    if (isOver) return
    // The connection is in the middle of an answer that nobody reads, so it is discarded once the statement has ended.
    void cancelStatement(pool, client).finally(() => finish(new Error('The export was cancelled.')))
  })
  return rows.pipe(lines)
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
    let written = 0
    let copied = 0
    let quoteAt = chunk.indexOf(quote)
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) {
      for (; quoteAt !== -1 && quoteAt < at; quoteAt = chunk.indexOf(quote, quoteAt + 1))
        this.#isQuoted = !this.#isQuoted
      if (this.#isQuoted) continue
      written += chunk.copy(result, written, copied, at)
      result[written++] = 0x0d
      copied = at
    }
    for (; quoteAt !== -1; quoteAt = chunk.indexOf(quote, quoteAt + 1)) this.#isQuoted = !this.#isQuoted
    written += chunk.copy(result, written, copied)
    return result.subarray(0, written)
  }
}

function countByte(chunk: Buffer, byte: number): number {
  let count = 0
  for (let at = chunk.indexOf(byte); at !== -1; at = chunk.indexOf(byte, at + 1)) count++
  return count
}
