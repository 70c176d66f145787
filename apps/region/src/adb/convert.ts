/** Converts a SQLite database file to a database export (.adb) and back. Never overwrites a file. */
import { access, constants, copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { exportDatabase } from '#archives/database-export.ts'
import { tellRebuilt } from '#archives/unpack-in-sandbox.ts'
import { type FileSum, sha256OfFile } from '#files/sha256-of-file.ts'
import { refuse } from '#refusals.ts'
import { runInSandbox, secondsFor } from '#sandbox/run-in-sandbox.ts'
import { copyDatabase } from '#sqlite/copy-database.ts'

const never = new AbortController().signal
const checkSeconds = 60

/** Exports a consistent copy, even if the database is in use. @throws {Refusal} 'wrong-content' if it is no database */
export function makeExport(from: string, to: string, password: string): Promise<FileSum> {
  return viaTemporaryFile(to, async (folder) => {
    await access(from, constants.R_OK)
    const copy = join(folder, 'copy.db')
    const source = new DatabaseSync(from, { readOnly: true })
    try {
      const { page_count: pages } = source.prepare('PRAGMA page_count').get() ?? {}
      if (pages === 0) throw refuse('wrong-content', { reason: 'it does not hold a database.' })
      await copyDatabase(source, copy, never)
    } catch (error) {
      throw error instanceof Error && 'errcode' in error ? refuse('wrong-content', { reason: error.message }) : error
    } finally {
      source.close()
    }
    await check(copy, basename(from))
    const temporary = join(folder, 'export.adb')
    await exportDatabase(copy, temporary, password, never)
    return temporary
  })
}

/** @throws {Refusal} 'wrong-password', 'damaged-file', 'wrong-content' */
export function openExport(from: string, to: string, password: string): Promise<FileSum> {
  return viaTemporaryFile(to, async (folder) => {
    const temporary = join(folder, 'opened.db')
    const seconds = secondsFor((await stat(from)).size, checkSeconds)
    await runInSandbox('openExport', { from, to: temporary, password }, { signal: never, seconds })
    await check(temporary, basename(from))
    return temporary
  })
}

async function check(path: string, name: string): Promise<void> {
  const seconds = secondsFor((await stat(path)).size, checkSeconds)
  const state = await runInSandbox('checkDatabase', { path, thorough: true }, { signal: never, seconds })
  if (state === 'indexes-damaged') tellRebuilt(console.log, [name])
}

/** Makes the result in a temporary folder and puts it at `to` only when everything succeeded. */
async function viaTemporaryFile(to: string, make: (folder: string) => Promise<string>): Promise<FileSum> {
  // mkdtemp lets only the owner enter the folder, because its content is not encrypted.
  const folder = await mkdtemp(join(tmpdir(), 'roomkeeper-adb-'))
  try {
    const temporary = await make(folder)
    await copyFile(temporary, to, constants.COPYFILE_EXCL)
    return await sha256OfFile(to)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
