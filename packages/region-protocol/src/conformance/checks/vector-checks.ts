/** Gives the region every vector: good ones to hold and to give back, damaged and hostile ones to refuse. */
import type { JobRequest } from '../../jobs.ts'
import { expectReads } from '../backup.ts'
import { type Check, CheckFailed, expectEqual, expectFailure } from '../check.ts'
import { expectDigest, expectVector, fetchFile, roomWith, upload, type VectorRoom } from '../content.ts'
import { readExport } from '../export.ts'
import type { Region } from '../region-under-test.ts'
import {
  type BackupVector,
  contentOf,
  type ExportVector,
  goodBackups,
  goodExports,
  nameOf,
  type RefusedVector,
  refusedVectors,
} from '../vectors.ts'

export const vectorChecks: Check[] = [
  ...goodBackups.map(
    (vector): Check => ({
      name: `${nameOf(vector)} is restored and backed up as it is: ${vector.about}`,
      page: 'jobs.md#what-a-restore-does',
      run: (region) => restores(region, vector),
    }),
  ),
  ...goodExports.map(
    (vector): Check => ({
      name: `${nameOf(vector)} is imported, restored and exported as it is: ${vector.about}`,
      page: 'formats.md#database-export-adb',
      run: (region) => imports(region, vector),
    }),
  ),
  {
    name: 'a test of a backup tells its files, bytes, databases, digest, and the databases with damaged indexes',
    page: 'jobs.md#verifybackup',
    needs: ['verifyBackup'],
    run: (region) => forEach(goodBackups, (vector) => verifies(region, vector)),
  },
  {
    name: 'restores and backups tell the digest of what they restore and pack when they are asked for it',
    page: 'jobs.md#restoreroom',
    needs: ['digest'],
    run: tellsDigests,
  },
  ...byCode(refusedVectors.filter(({ kind }) => kind === 'refused backup')).map(
    ([code, vectors]): Check => ({
      name: `backups that have to be refused with ${code} are, and the room stays as it was`,
      page: 'formats.md#what-is-refused',
      run: (region) => refuses(region, vectors, jobsOfBackup),
    }),
  ),
  ...byCode(refusedVectors.filter(({ kind }) => kind === 'export')).map(
    ([code, vectors]): Check => ({
      name: `exports that have to be refused with ${code} are, and the room stays as it was`,
      page: 'formats.md#what-is-refused',
      run: (region) => refuses(region, vectors, jobsOfExport),
    }),
  ),
]

/** Restores the vector into a room that holds another one. */
async function restores(region: Region, vector: BackupVector): Promise<void> {
  const former = vector.into ?? (nameOf(vector) === 'small.zip' ? 'handled.zip' : 'small.zip')
  const { own } = await roomWith(region, former)
  const file = await upload(region, contentOf(vector.file))
  const { databases } = await region.run({ type: 'restoreRoom', ...own, file })
  const backup = await expectVector(region, own.room, vector, 'once it is restored')
  expectEqual(databases.toSorted(), backup.databases.toSorted(), 'the databases that the restore names')
  if (vector.kind === 'room backup')
    expectEqual(databases.toSorted(), vector.databases.toSorted(), 'the databases of the room')
}

/** Imports the vector, exports it again, and restores what was exported. */
async function imports(region: Region, vector: ExportVector): Promise<void> {
  const { run } = region
  const { own, name, vector: former } = await roomWith(region, vector.into)
  const { password } = vector
  const file = await upload(region, contentOf(vector.file))
  await run({ type: 'importDatabase', ...own, database: 'imported', file, password })
  await expectVector(region, name, vector, 'once it is imported')
  const made = await run({ type: 'backupDatabase', room: name, database: 'imported', password: 'own päss' })
  const { database, cost } = readExport(await fetchFile(region, made), 'own päss')
  expectReads(new Map([['databases/imported.db', database]]), vector.reads, 'in the export that the region has made')
  if (cost.join() !== '17,8,1') region.note(`the region writes exports with a cost of ${cost.join(', ')}`)
  await run({ type: 'deleteDatabase', ...own, database: 'IMPORTED' })
  expectEqual(await region.digestOf(name), former.digest, 'the digest of the room, once the database is deleted')
  await run({ type: 'restoreDatabase', ...own, database: 'imported', file: made.file, password: 'own päss' })
  expectEqual(await region.digestOf(name), vector.roomDigest, 'the digest of the room, once the export is restored')
}

async function verifies(region: Region, vector: BackupVector): Promise<void> {
  const file = await upload(region, contentOf(vector.file))
  const found = await region.run({ type: 'verifyBackup', room: 'vectors', product: 'ARIS', from: { file } })
  const { files, bytes, databases, digest, rebuilt = [] } = vector
  expectEqual(
    { ...found, databases: found.databases.toSorted(), rebuilt: found.rebuilt ?? rebuilt },
    { files, bytes, databases: databases.toSorted(), digest, rebuilt },
    'what was found',
  )
}

async function tellsDigests(region: Region): Promise<void> {
  const { own } = await region.newRoom()
  // Without the indexes, which need not be compared.
  const sound = goodBackups.filter(({ kind, rebuilt = [] }) => kind === 'room backup' && rebuilt.length === 0)
  await forEach(sound, async (vector) => {
    const file = await upload(region, contentOf(vector.file))
    const restored = await region.run({ type: 'restoreRoom', ...own, file, digest: true })
    expectEqual(restored.digest, vector.digest, 'the digest that the restore tells')
    const made = await region.run({ type: 'backupRoom', room: own.room, digest: true })
    expectEqual(made.digest, vector.digest, 'the digest that the backup tells')
  })
}

function byCode(vectors: RefusedVector[]): [RefusedVector['code'], RefusedVector[]][] {
  return [...Map.groupBy(vectors, ({ code }) => code)]
}

type JobsOf = (region: Region, vector: RefusedVector, room: VectorRoom, file: string) => Promise<JobRequest[]>

const jobsOfBackup: JobsOf = async ({ client }, { code, size }, { own, name: room }, file) => {
  // Half of the restores, to be quick.
  const isDigested = size % 2 === 0 && (await client.offers('digest'))
  const isVerified = code !== 'database-exists' && (await client.offers('verifyBackup'))
  return [
    { type: 'restoreRoom', ...own, file, ...(isDigested ? { digest: true } : {}) },
    ...(isVerified ? [{ type: 'verifyBackup', room, product: 'ARIS', from: { file } } as const] : []),
  ]
}

const jobsOfExport: JobsOf = async (_, { password = '' }, { own }, file) => [
  { type: 'importDatabase', ...own, database: 'imported', file, password },
  { type: 'restoreDatabase', ...own, database: 'main', file, password },
]

/** Gives each vector to all jobs that could take it. */
async function refuses(region: Region, vectors: RefusedVector[], jobsOf: JobsOf): Promise<void> {
  const rooms = new Map<string, VectorRoom>()
  await forEach(vectors, async (vector) => {
    const { into = 'small.zip', code } = vector
    const room = rooms.get(into) ?? (await roomWith(region, into))
    rooms.set(into, room)
    const file = await upload(region, contentOf(vector.file))
    const jobs = await jobsOf(region, vector, room, file)
    const tried = await Promise.allSettled(jobs.map((job) => expectFailure(region.run(job), code, job.type)))
    for (const each of tried) if (each.status === 'rejected') throw each.reason
    await expectDigest(region, room.name, room.vector, 'afterwards')
  })
  for (const { name, vector } of rooms.values())
    expectEqual((await region.client.room(name))?.databases.toSorted(), vector.databases.toSorted(), 'the databases')
}

/** Tells of each vector that fails, so that one run shows them all. */
async function forEach<V extends { file: string }>(list: readonly V[], run: (vector: V) => Promise<void>) {
  const failures: string[] = []
  for (const vector of list)
    await run(vector).catch((error: unknown) => {
      failures.push(`${nameOf(vector)}: ${error instanceof Error ? error.message : error}`)
      // A region that is no longer there fails each of them.
      if (!(error instanceof CheckFailed)) throw new CheckFailed(failures.join('\n'))
    })
  if (failures.length > 0) throw new CheckFailed(failures.join('\n'))
}
