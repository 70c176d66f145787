/**
 * All calls by which the region reads or changes its files, so that tests can watch every call and make any of them
 * fail (faults/file-faults.ts). The functions are like those of node:fs/promises. SQLite's own calls do not pass
 * through here; only the start of its work does: a file opened, a transaction committed, a file copied.
 */
import { createReadStream, type Dirent, type ReadStream, readdirSync, type Stats, statSync } from 'node:fs'
import * as fs from 'node:fs/promises'

export type FileCallName =
  | 'open'
  | 'write'
  | 'sync'
  | 'read'
  | 'readdir'
  | 'stat'
  | 'mkdir'
  | 'rename'
  | 'link'
  | 'copy'
  | 'truncate'
  | 'unlink'
  | 'rmdir'
  | 'utimes'
  | 'sqlite-open'
  | 'sqlite-commit'
  | 'sqlite-copy'

export interface FileCall {
  call: FileCallName
  path: string
  /** The old path of a rename or link. */
  from?: string
}

export interface FileWatch {
  /** An error thrown here makes the call fail with it. */
  before(call: FileCall): void
  after(call: FileCall): void
}

let watch: FileWatch | null = null

/** There is one watch at a time; null ends it. */
export function watchFiles(next: FileWatch | null): void {
  watch = next
}

export async function watched<T>(name: FileCallName, path: string, work: () => Promise<T>, from?: string): Promise<T> {
  const call = from === undefined ? { call: name, path } : { call: name, path, from }
  watch?.before(call)
  const result = await work()
  watch?.after(call)
  return result
}

export function watchedSync<T>(call: FileCallName, path: string, work: () => T): T {
  watch?.before({ call, path })
  const result = work()
  watch?.after({ call, path })
  return result
}

export interface OpenFile {
  write(content: Uint8Array | string): Promise<void>
  /** Makes the written content, or a folder's list of names, survive a power cut. */
  sync(): Promise<void>
  close(): Promise<void>
}

export async function open(path: string, flags: 'r' | 'w' | 'wx' | 'a'): Promise<OpenFile> {
  const handle = await watched('open', path, () => fs.open(path, flags))
  return {
    write: (content) => watched('write', path, () => handle.writeFile(content)),
    sync: () => watched('sync', path, () => handle.sync()),
    // After `sync`, a failure to close says nothing new, and it must not hide that the write succeeded.
    close: () => handle.close().catch(() => undefined),
  }
}

/** @throws when the file cannot be opened. */
export function readStream(path: string, range: { start?: number; end?: number; highWaterMark: number }): ReadStream {
  return watchedSync('read', path, () => createReadStream(path, range))
}

export interface ReadableFile {
  /** Reads into the buffer from this position of the file on. Returns how many bytes: 0 at its end, perhaps fewer. */
  readAt(into: Uint8Array, position: number): Promise<number>
  close(): Promise<void>
}

export async function openToRead(path: string): Promise<ReadableFile> {
  const handle = await watched('read', path, () => fs.open(path, 'r'))
  return {
    readAt: async (into, position) => (await handle.read(into, 0, into.byteLength, position)).bytesRead,
    close: () => handle.close().catch(() => undefined),
  }
}

export function readText(path: string): Promise<string> {
  return watched('read', path, () => fs.readFile(path, 'utf8'))
}

export function readdir(path: string): Promise<string[]> {
  return watched('readdir', path, () => fs.readdir(path))
}

export function readEntries(path: string): Promise<Dirent[]> {
  return watched('readdir', path, () => fs.readdir(path, { withFileTypes: true }))
}

export function readNamesSync(path: string): string[] {
  return watchedSync('readdir', path, () => readdirSync(path))
}

export function stat(path: string): Promise<Stats> {
  return watched('stat', path, () => fs.stat(path))
}

/** Undefined: there is nothing at this path. */
export function statIfPresentSync(path: string): Stats | undefined {
  return watchedSync('stat', path, () => statSync(path, { throwIfNoEntry: false }))
}

export async function mkdir(path: string, options: { recursive?: boolean } = {}): Promise<void> {
  await watched('mkdir', path, () => fs.mkdir(path, options))
}

export function rename(from: string, to: string): Promise<void> {
  return watched('rename', to, () => fs.rename(from, to), from)
}

export function link(from: string, to: string): Promise<void> {
  return watched('link', to, () => fs.link(from, to), from)
}

/** Shares the content until one of the two changes, where the file system can. The caller brings it to disk. */
export function copyFile(from: string, to: string): Promise<void> {
  return watched('copy', to, () => fs.copyFile(from, to, fs.constants.COPYFILE_FICLONE), from)
}

/** Succeeds if there is no file. */
export function unlink(path: string): Promise<void> {
  return watched('unlink', path, () => fs.unlink(path).catch(unlessAbsent))
}

/** Removes an empty folder. Succeeds if there is none. */
export function rmdir(path: string): Promise<void> {
  return watched('rmdir', path, () => fs.rmdir(path).catch(unlessAbsent))
}

export function truncate(path: string, bytes: number): Promise<void> {
  return watched('truncate', path, () => fs.truncate(path, bytes))
}

/** Records that the file was used now. */
export function touch(path: string): Promise<void> {
  const now = new Date()
  return watched('utimes', path, () => fs.utimes(path, now, now))
}

function unlessAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error
}

/** Whether there is a file or folder. @throws when that cannot be found out just now */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (isAbsent(error)) return false
      throw error
    },
  )
}

/** Whether a call failed because there is nothing at its path. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
