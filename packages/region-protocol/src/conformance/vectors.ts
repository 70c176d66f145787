/** The vectors (packages/region-protocol/vectors): files of the formats, with what has to come of each. */
import { readFileSync } from 'node:fs'

interface AnyVector {
  /** Below the folder, such as `files/room.zip`. */
  file: string
  about: string
  size: number
  sha256: string
  /** Of an export. */
  password?: string
  /** The vector that the room holds before, such as `small.zip`. */
  into?: string
}

/** What a query has to find. Values are `null`, `"i<integer>"`, `"r<real>"`, `"t<text>"`. */
export interface Read {
  database: string
  sql: string
  rows: (string | null)[][]
}

interface GoodVector extends AnyVector {
  digest: string
  /** The file of the lines that are hashed. */
  lines: string
  reads: Read[]
}

export interface BackupVector extends GoodVector {
  kind: 'room backup' | 'product backup'
  files: number
  bytes: number
  databases: string[]
  rebuilt?: string[]
  /** Of the room once a product backup has joined it. */
  roomDigest?: string
}

export interface ExportVector extends GoodVector {
  kind: 'export'
  password: string
  into: string
  /** Of the room once the export is imported as `imported`. */
  roomDigest: string
}

export interface RefusedVector extends AnyVector {
  kind: 'export' | 'refused backup'
  code: 'damaged-file' | 'wrong-content' | 'wrong-password' | 'product-differs' | 'schema-too-new' | 'database-exists'
}

type Vector = BackupVector | ExportVector | RefusedVector

const folder = new URL('../../vectors/', import.meta.url)

export const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL('vectors.json', folder), 'utf8'))

export const refusedVectors = vectors.filter((vector): vector is RefusedVector => 'code' in vector)
export const goodBackups = vectors.filter((vector): vector is BackupVector => 'databases' in vector)
export const goodExports = vectors.filter(
  (vector): vector is ExportVector => vector.kind === 'export' && !('code' in vector),
)

/** @param file of a vector, or of its lines */
export function contentOf(file: string): Buffer {
  return readFileSync(new URL(file, folder))
}

/** Such as `room.zip`. */
export function nameOf({ file }: { file: string }): string {
  return file.slice('files/'.length)
}

/** The vector of a good backup, by a name such as `room.zip`. */
export const backupVector = (name: string) => vectorNamed(name, goodBackups)

/** The vector of a good export, by a name such as `values.adb`. */
export const exportVector = (name: string) => vectorNamed(name, goodExports)

function vectorNamed<V extends Vector>(name: string, list: readonly V[]): V {
  const found = list.find((vector) => nameOf(vector) === name)
  if (found === undefined) throw new Error(`There is no vector ${name}.`)
  return found
}
