/** The rows of a table in the form that is digested: one JSON array on a line of its own (docs/region/formats.md). */
import { constants, isUtf8 } from 'node:buffer'
import type { Hash } from 'node:crypto'
import { writeJsonText } from './json-text.ts'

export type SqliteValue = null | number | bigint | string | Uint8Array
/** A text as its bytes in the database. */
export interface TextBytes {
  bytes: Buffer
  encoding: string
}
export type Value = SqliteValue | TextBytes

/** How many characters of a value are turned into a string at once. */
const pieceLength = 1 << 24

/** Small rows are gathered up to this many characters: each call of the hash has its own cost. */
const gatheredLength = 1 << 14

export interface RowsDigest {
  add(row: readonly Value[]): void
  /** Call it after the last row. */
  end(): void
}

/** @param alive is called while a large value is digested */
export function digestRows(hash: Hash, alive: () => void): RowsDigest {
  let gathered = ''
  const flush = () => {
    if (gathered !== '') hash.update(gathered)
    gathered = ''
  }
  const addPiece = (piece: Uint8Array | string) => {
    flush()
    hash.update(piece)
  }
  const addLarge = (value: LargeValue) => {
    if (isTextBytes(value) && value.encoding === 'UTF-8' && isUtf8(value.bytes)) {
      gathered += '"t'
      writeJsonText(value.bytes, addPiece)
      gathered += '"'
    } else for (const piece of piecesOf(asStringIfPossible(value))) addPiece(piece)
    if (lengthOf(value) > pieceLength) alive()
  }
  return {
    add(row) {
      if (row.some(isLarge)) {
        for (const [index, value] of row.entries()) {
          gathered += index === 0 ? '[' : ','
          if (isLarge(value)) addLarge(value)
          else gathered += JSON.stringify(textOf(value))
        }
        gathered += ']\n'
      } else gathered += `${JSON.stringify(row.map((value) => textOf(value as SqliteValue)))}\n`
      if (gathered.length >= gatheredLength) flush()
    },
    end: flush,
  }
}

type LargeValue = string | Uint8Array | TextBytes

function isLarge(value: Value): value is LargeValue {
  if (typeof value === 'string') return value.length > pieceLength
  if (value instanceof Uint8Array) return value.byteLength > pieceLength
  return typeof value === 'object' && value !== null
}

function isTextBytes(value: LargeValue): value is TextBytes {
  return typeof value === 'object' && 'bytes' in value
}

/** What is not valid UTF-8 is replaced as SQLite's reader does it, which a cut in the middle could change. */
function asStringIfPossible(value: LargeValue): LargeValue {
  const isPossible =
    isTextBytes(value) && value.encoding === 'UTF-8' && value.bytes.length <= constants.MAX_STRING_LENGTH
  return isPossible ? value.bytes.toString('utf8') : value
}

function lengthOf(value: LargeValue): number {
  if (typeof value === 'string') return value.length
  return isTextBytes(value) ? value.bytes.byteLength : value.byteLength
}

/** The same characters as `JSON.stringify(textOf(value))`. */
function* piecesOf(value: LargeValue): Generator<string> {
  if (typeof value === 'string') {
    yield '"t'
    for (let from = 0; from < value.length; ) {
      const to = endOfPiece(value, from + pieceLength)
      yield inJson(value.slice(from, to))
      from = to
    }
  } else if (value instanceof Uint8Array) {
    yield '"b'
    for (let from = 0; from < value.byteLength; from += pieceLength)
      yield Buffer.from(value.buffer, value.byteOffset + from, Math.min(pieceLength, value.byteLength - from)).toString(
        'hex',
      )
  } else {
    yield '"t'
    for (const text of decoded(value)) yield inJson(text)
  }
  yield '"'
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** Keeps both halves of a surrogate pair in one piece. */
function endOfPiece(text: string, end: number): number {
  const code = text.charCodeAt(end - 1)
  return code >= 0xd800 && code <= 0xdbff ? end + 1 : end
}

function* decoded({ bytes, encoding }: TextBytes): Generator<string> {
  if (encoding === 'UTF-16be') bytes.subarray(0, bytes.length & ~1).swap16()
  const [name, isInside] =
    encoding === 'UTF-8' ? (['utf8', isInsideUtf8] as const) : (['utf16le', isInsideUtf16] as const)
  for (let from = 0; from < bytes.length; ) {
    let to = Math.min(from + pieceLength, bytes.length)
    // A character has at most four bytes.
    for (let back = 0; back < 3 && to < bytes.length && isInside(bytes, to); back += 1) to -= 1
    yield bytes.toString(name, from, to)
    from = to
  }
}

function isInsideUtf8(bytes: Buffer, at: number): boolean {
  return (bytes.readUInt8(at) & 0xc0) === 0x80
}

/** Whether `at` is inside a character: at an odd position, or between the halves of a surrogate pair. */
function isInsideUtf16(bytes: Buffer, at: number): boolean {
  return at % 2 === 1 || (at + 1 < bytes.length && (bytes.readUInt8(at + 1) & 0xfc) === 0xdc)
}

function textOf(value: Exclude<Value, TextBytes>): string | null {
  if (value === null) return null
  if (typeof value === 'bigint') return `i${value}`
  if (typeof value === 'number') return `r${value}`
  if (typeof value === 'string') return `t${value}`
  return `b${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
}
