import type { FileStore } from '../file-store.ts'
import type { ObjectStoreAccess } from '../object-store.ts'
import { createBucketStore } from './bucket-store.ts'
import { createFolderStore } from './folder-store.ts'

export type FileStoreLocation =
  | { kind: 'folder'; folder: string }
  /** `prefix` is empty or ends with a slash. */
  | { kind: 'bucket'; bucket: string; prefix: string; access: ObjectStoreAccess }

export function createFileStore(location: FileStoreLocation): FileStore {
  return location.kind === 'folder' ? createFolderStore(location.folder) : createBucketStore(location)
}
