/**
 * Files of the console's builds in the database: each process puts those of its own build there, and serves those of
 * other builds from there. So a page that was opened before an upgrade still gets the parts that it has not loaded yet.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { lockUntilCommit } from '#platform/advisory-locks.ts'
import { type Database, type Db, queryRows, type Tx } from '#platform/database.ts'
import type { Scheduler } from '#platform/recurring.ts'

const neededFor = '8 days'
const atOnce = 25

/** A hash stands in the name, so what has it never changes. */
export function isAssetName(name: string): boolean {
  return /^[\w.-]{1,100}-[\w-]{8}\.(js|css|woff2|svg)$/.test(name)
}

/** The content of an asset of any build that is still needed, gzipped; null: no process has had it lately. */
export async function findAsset(db: Db, name: string): Promise<Buffer | null> {
  const [row] = await queryRows<{ gzipped: Buffer }>(db, 'select gzipped from console_assets where name = $1', [name])
  return row?.gzipped ?? null
}

/** @param directory with the files of this process's build; those with `.gz` are beside them */
export function startKeepingAssets(scheduler: Scheduler, database: Database, directory: string): void {
  scheduler.start({
    name: 'keeping of console assets',
    everySeconds: 60,
    scope: 'process',
    ignoresClock: true,
    run: () => keepAssets(database, directory),
  })
}

async function keepAssets(database: Database, directory: string): Promise<void> {
  const names = (await readdir(directory)).filter(isAssetName)
  const known = await database.transaction((tx) => renew(tx, names))
  const missing = names.filter((name) => !known.has(name))
  // A few at once, because they are held in memory.
  for (let from = 0; from < missing.length; from += atOnce)
    await keepNew(database, directory, missing.slice(from, from + atOnce))
}

async function keepNew(database: Database, directory: string, names: readonly string[]): Promise<void> {
  const contents = await Promise.all(names.map((name) => readGzipped(directory, name)))
  await database.transaction(async (tx) => {
    await lockUntilCommit(tx, 'assets of the console')
    await queryRows(
      tx,
      `insert into console_assets (name, gzipped, needed_until)
       select name, gzipped, now() + $3::interval from unnest($1::text[], $2::bytea[]) as given (name, gzipped)
       on conflict (name) do update set needed_until = excluded.needed_until`,
      [names, contents, neededFor],
    )
  })
}

/** Removes assets that no running build needs. @returns the names that are there */
async function renew(tx: Tx, names: readonly string[]): Promise<Set<string>> {
  // Two processes would otherwise lock the same rows in different orders.
  await lockUntilCommit(tx, 'assets of the console')
  await queryRows(
    tx,
    `update console_assets set needed_until = now() + $2::interval
      where name = any($1) and needed_until < now() + $2::interval - interval '1 day'`,
    [names, neededFor],
  )
  await queryRows(tx, 'delete from console_assets where needed_until < now()', [])
  const there = await queryRows<{ name: string }>(tx, 'select name from console_assets where name = any($1)', [names])
  return new Set(there.map(({ name }) => name))
}

async function readGzipped(directory: string, name: string): Promise<Buffer> {
  const path = join(directory, name)
  return readFile(`${path}.gz`).catch(async () => promisify(gzip)(await readFile(path)))
}
