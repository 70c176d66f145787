/**
 * Where uploads and backups are kept: a folder, or a bucket of an object store. A file is there whole or not at all.
 * Keys are relative paths such as `uploads/4f….zip`; they are made by us, never by callers.
 */
import type { Readable } from 'node:stream'
import { createBucketStore } from './file-store/bucket-store.ts'
import { createFolderStore } from './file-store/folder-store.ts'
import type { ObjectStoreAccess } from './object-store.ts'

export interface FileStore {
  /**
   * Keeps the content under the key, in the place of what was there.
   * @throws Refusal `storage-full`; whatever the content throws. Then nothing of it is left, whatever the timing; only
   * when the store failed at its last step may the file be there, whole.
   * @param options size: bytes, when known; without it, 312 GiB at most
   */
  put(
    key: string,
    content: AsyncIterable<Uint8Array>,
    options?: { signal?: AbortSignal; size?: number },
  ): Promise<KeptFile>
  /** @param range bytes from `start` to `end`, both included. @throws FileMissing */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** Null: there is no such file. @throws Refusal `object-store-unreachable` where nothing is kept at all */
  stat(key: string): Promise<{ size: number } | null>
  /** Also when it is not there. */
  remove(key: string): Promise<void>
  /** Files whose keys begin so, and when they were kept. */
  list(prefix: string): AsyncIterable<{ key: string; keptAt: Date }>
  /**
   * Clears away what processes that died left of files whose keys begin so. What was begun before that time, and of which
   * nothing has arrived since, counts as left by one.
   */
  removeUnfinished(prefix: string, begunBefore: Date): Promise<void>
}

export interface KeptFile {
  /** Bytes. */
  size: number
  /** Hexadecimal. */
  sha256: string
}

export interface ByteRange {
  start?: number
  end?: number
}

export type FileStorePlace =
  | { kind: 'folder'; folder: string }
  /** `prefix` is empty or ends with a slash. */
  | { kind: 'bucket'; bucket: string; prefix: string; access: ObjectStoreAccess }

export function createFileStore(place: FileStorePlace): FileStore {
  return place.kind === 'folder' ? createFolderStore(place.folder) : createBucketStore(place)
}
