/** Copies a running PostgreSQL's data so that the copy starts as its standby, like pg_basebackup, which npm lacks. */
import { appendFile, chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

interface CopiedCluster {
  folder: string
  identity: { uid: number; gid: number } | null
}

/** Entries that belong to the running server. The standby gets the WAL from its primary. */
const excluded = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'log'])

/**
 * @param client of the cluster's superuser
 * @param settings for postgresql.auto.conf
 */
export async function copyCluster(
  client: pg.Client,
  { folder, identity }: CopiedCluster,
  target: string,
  settings: Record<string, string>,
): Promise<void> {
  const own = async (path: string) => {
    if (identity !== null) await chown(path, identity.uid, identity.gid)
  }
  const write = async (name: string, text: string) => {
    await writeFile(join(target, name), text, { mode: 0o600 })
    await own(join(target, name))
  }
  await client.query(`select pg_backup_start('standby', true)`)
  await copyFolder(folder, target, own)
  for (const name of ['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries', 'pg_replslot']) {
    await mkdir(join(target, name), { mode: 0o700 })
    await own(join(target, name))
  }
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
  await write('backup_label', rows[0]?.labelfile ?? '')
  await write('standby.signal', '')
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  await appendFile(join(target, 'postgresql.auto.conf'), lines.join(''))
}

async function copyFolder(from: string, to: string, own: (path: string) => Promise<void>): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  await own(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (excluded.has(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target, own)
    else {
      // A file that is removed meanwhile is not needed, because the WAL has its removal.
      const copied = await copyFile(source, target).then(
        () => true,
        (error) => {
          if (error.code === 'ENOENT') return false
          throw error
        },
      )
      if (copied) await own(target)
    }
  }
}
