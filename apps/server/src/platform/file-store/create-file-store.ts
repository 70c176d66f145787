import type { Database } from '../database.ts'
import type { FileStore } from '../file-store.ts'
import type { ObjectStoreAccess } from '../object-store.ts'
import { createBucketStore } from './bucket-store.ts'
import { createFolderStore } from './folder-store.ts'
import { createMarkedStore } from './marked-store.ts'

export type FileStoreLocation =
  | { kind: 'folder'; folder: string }
  /** `prefix` is empty or ends with a slash. */
  | { kind: 'bucket'; bucket: string; prefix: string; access: ObjectStoreAccess }

/** @param database knows the mark of the store; without it any place is one */
export function createFileStore(location: FileStoreLocation, database?: Database): FileStore {
  const files = location.kind === 'folder' ? createFolderStore(location.folder) : createBucketStore(location)
  return database === undefined ? files : createMarkedStore(files, database)
}
