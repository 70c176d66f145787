/** Takes a file from an operator into the store. Nothing stays of a file that is incomplete or of the wrong kind. */
import { randomUUID } from 'node:crypto'
import { compareFiles, createPassedFiles, inspectBackup, storedFile } from '#backups/index.ts'
import { createConcurrencyLimit } from '#platform/concurrency-limit.ts'
import type { FileStore } from '#platform/file-store.ts'
import type { IncomingUpload } from '#platform/http/handler.ts'
import { type ReceivedFile, receiveFile } from '#platform/http/receive-file.ts'
import { refuseFile } from '#platform/refuse.ts'
import { passDatabaseExport, passZip } from './check-while-arriving.ts'
import type { StoredUpload, UploadKind } from './stored-upload.ts'
import { uploadsPrefix } from './tidy-uploads.ts'

const extensions = { backup: '.zip', database: '.adb' } as const
const passes = { backup: passZip, database: passDatabaseExport } as const

/**
 * Reading whole backups takes processor time that the calls of others need. One operator's backups are read one after
 * another, so that the other slot stays for somebody else.
 */
const comparisons = createConcurrencyLimit({ atOnce: 2, atOnceOfOne: 1, queue: 50, queueOfOne: 10 })

export interface UploadRules {
  store: FileStore
  limitBytes: number
}

/**
 * Streams the file into the store and checks it, a backup to its last byte. The caller has to record it.
 * @param owner the operator
 * @param signal fires when nobody waits for the answer any more; the file is then discarded
 * @throws Refusal `wrong-file`, `wrong-file-content`, `no-upload-content`, `unpacks-too-large`, `storage-full`, `too-many-calls`, and those of `receiveFile`
 */
export async function acceptUpload(
  { store, limitBytes }: UploadRules,
  upload: IncomingUpload,
  kind: UploadKind,
  owner: string,
  signal: AbortSignal,
): Promise<StoredUpload> {
  const name = randomUUID() + extensions[kind]
  const storeKey = uploadsPrefix + name
  const discard = () => store.remove(storeKey)
  const take = async (file: ReceivedFile) => {
    if (!file.fileName.toLowerCase().endsWith(extensions[kind]))
      throw refuseFile('wrong-file', 'file-ending', { ending: extensions[kind] })
    try {
      const kept = await store.put(storeKey, passes[kind](passing(file.content)))
      return { ...kept, fileName: shownName(file.fileName) }
    } catch (error) {
      // If only the answer was lost, the store has the file. Removing it is safe: nobody else writes under this name.
      await discard().catch(() => undefined)
      throw error
    }
  }
  const passed = createPassedFiles()
  async function* passing(content: AsyncIterable<Uint8Array>) {
    for await (const bytes of content) {
      if (kind === 'backup') passed.pass(bytes)
      yield bytes
    }
  }
  const kept = await receiveFile(upload, { field: 'file', limitBytes, take, discard })
  try {
    const source = storedFile(store, { storeKey, size: kept.size })
    const found = kind === 'backup' ? await inspectBackup(source) : null
    if (found !== null) {
      const compare = () => compareFiles(source, found, limitBytes, signal, passed.found)
      await comparisons.run(compare, { owner, signal })
    }
    return { ...kept, name, storeKey, contents: found?.contents ?? null, manifest: found?.manifest ?? null }
  } catch (error) {
    await discard().catch(() => undefined)
    throw error
  }
}

/** The file name to show in lists and in the audit trail. */
function shownName(fileName: string): string {
  return fileName.replace(/\p{C}/gu, '').slice(0, 255)
}
