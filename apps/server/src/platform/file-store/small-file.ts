import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FileStore } from '../file-store.ts'
import { FileMissing } from './file-missing.ts'

/** @param bytesAtMost what lies behind them is not read @returns null: there is no such file */
export async function readSmallFile(files: FileStore, key: string, bytesAtMost?: number): Promise<string | null> {
  const range = bytesAtMost === undefined ? undefined : { start: 0, end: bytesAtMost }
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
