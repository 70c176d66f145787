/**
 * Where uploads and backups are stored: a folder, or a bucket of an object store. Files appear whole or not at all.
 * Keys are relative paths such as `uploads/4f….zip`; they are made by the server, never by callers.
 */
import type { Readable } from 'node:stream'
import { createBucketStore } from './file-store/bucket-store.ts'
import { createFolderStore } from './file-store/folder-store.ts'
import type { ObjectStoreAccess } from './object-store.ts'

export interface FileStore {
  /**
   * Stores the content under the key, and replaces an earlier one.
   * @throws Refusal `storage-full`; whatever the content throws. Then nothing of it is left; only when the store failed
   * at its last step may the file exist, whole.
   * @param options size: bytes, when known; without it, 312 GiB at most
   */
  put(
    key: string,
    content: AsyncIterable<Uint8Array>,
    options?: { signal?: AbortSignal; size?: number },
  ): Promise<StoredFile>
  /** @param range bytes from `start` to `end`, both included. @throws FileMissing */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** Null: there is no such file. @throws Refusal `object-store-unreachable` where the store itself is missing */
  stat(key: string): Promise<{ size: number } | null>
  /** Also when it is not there. */
  remove(key: string): Promise<void>
  /** Files whose keys start with the prefix, and when they were stored. */
  list(prefix: string): AsyncIterable<{ key: string; storedAt: Date }>
  /**
   * Removes unfinished files whose keys start with the prefix: those started before that time, of which nothing has
   * arrived since.
   */
  removeUnfinished(prefix: string, startedBefore: Date): Promise<void>
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

export type FileStoreLocation =
  | { kind: 'folder'; folder: string }
  /** `prefix` is empty or ends with a slash. */
  | { kind: 'bucket'; bucket: string; prefix: string; access: ObjectStoreAccess }

export function createFileStore(location: FileStoreLocation): FileStore {
  return location.kind === 'folder' ? createFolderStore(location.folder) : createBucketStore(location)
}
