/**
 * Stores uploads and backups in a folder, or in a bucket of an object store. Files appear whole or not at all.
 * Keys are relative paths such as `uploads/4f….zip`; the server makes them, never a client.
 */
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

export interface FileStore {
  /** @throws Refusal `other-store` where this is not the store of this console; all that follow throw it then, too */
  check(): Promise<void>
  /**
   * Stores the content under the key, and replaces an earlier file.
   * @throws Refusal `storage-full`; the errors of the content. Then nothing remains; only if the store failed at its
   *   last step may the complete file exist.
   * @param options size: in bytes, if known; a bucket takes at most 1.2 TiB, and 312 GiB without it. sha256: only of
   * content that itself fails when it is any other, such as a region's file; the store then does not hash it once more.
   * A function is asked when the content has ended
   */
  put(
    key: string,
    content: AsyncIterable<Uint8Array>,
    options?: { signal?: AbortSignal; size?: number; sha256?: string | (() => string) },
  ): Promise<StoredFile>
  /** @param range bytes from `start` to `end`, both included. @throws FileMissing */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** null: there is no such file. */
  stat(key: string): Promise<{ size: number } | null>
  /** Succeeds too when there is no such file. */
  remove(key: string): Promise<void>
  /** Files whose keys start with the prefix, and when they were stored. */
  list(prefix: string): AsyncIterable<{ key: string; storedAt: Date }>
  /**
   * Removes unfinished files whose keys start with the prefix, if they were started before this time and nothing more
   * has arrived since. @returns how many
   */
  removeUnfinished(prefix: string, startedBefore: Date): Promise<number>
}

export interface StoredFile {
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
}

export interface ByteRange {
  start?: number
  end?: number
}

/** The store has no file with this key. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'
  readonly key: string
  constructor(key: string) {
    super(`The file ${key} is missing in the backup store.`)
    this.key = key
  }
}

/** @param maxBytes what lies behind them is not read. @returns null: there is no such file */
export async function readSmallFile(files: FileStore, key: string, maxBytes?: number): Promise<string | null> {
  const range = maxBytes === undefined ? undefined : { start: 0, end: maxBytes }
  try {
    return await text(await files.open(key, range))
  } catch (error) {
    if (error instanceof FileMissing) return null
    throw error
  }
}

export async function writeSmallFile(files: FileStore, key: string, given: string): Promise<void> {
  const content = Buffer.from(given)
  await files.put(key, Readable.from([content], { objectMode: false }), { size: content.length })
}
