/**
 * The job verifyBackup: restores a backup into a temporary folder, checks it there as a restore does, and removes it. The
 * copy is never one of the region's rooms, so users cannot reach it, and no room waits for it.
 */
import type { OpenedBackup } from '#archives/open-backup.ts'
import { databaseOfPath } from '#archives/read-room-backup.ts'
import {
  logged,
  openBackup,
  tellRebuilt,
  type Unpacked,
  type Unpacking,
  unpackAndDigest,
} from '#archives/unpack-in-sandbox.ts'
import { discard } from '#disk/discard.ts'
import type { FileStore } from '#files/file-store.ts'
import type { JobKind, RunningJob } from '#jobs/job-kind.ts'
import { withObject } from './fetch-object.ts'

export function verifyBackup(files: FileStore): JobKind<'verifyBackup'> {
  return {
    withoutRoom: true,
    check: () => undefined,
    run: async (job) => {
      const { from } = job.input
      return 'source' in from
        ? withObject(job, from.source, (path) => verify(job, path))
        : verify(job, (await files.contentOf(from.file)).path)
    },
  }
}

async function verify({ region, signal, progress, log, input }: RunningJob<'verifyBackup'>, path: string) {
  const { product } = input
  const unpacking: Unpacking = { region, signal, progress, log, digest: true, thorough: true }
  const folder = region.folders.work()
  try {
    const { manifest, small } = await openBackup(unpacking, { path, folder, product })
    const { digest = '', rebuilt } = small
      ? takeSmall(unpacking, small)
      : await unpackAndDigest(unpacking, { path, manifest }, folder)
    const bytes = manifest.files.reduce((total, { size }) => total + size, 0)
    log(`The backup can be restored: ${manifest.files.length} files, ${bytes} bytes.`)
    const databases = manifest.files.flatMap((file) => databaseOfPath(file.path) ?? []).sort()
    return { files: manifest.files.length, bytes, databases, digest, rebuilt: rebuilt.sort() }
  } finally {
    await discard(folder)
  }
}

function takeSmall(unpacking: Unpacking, { digest, rebuilt }: NonNullable<OpenedBackup['small']>): Unpacked {
  tellRebuilt(unpacking.log, rebuilt)
  return { ...(digest === null ? {} : logged(unpacking, digest)), rebuilt }
}
