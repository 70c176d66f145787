/** Single databases: exports, which the kit reads and writes itself, imports, restores and deletions. */
import { expectReads } from '../backup.ts'
import { type Check, expectEqual, expectFailure, expectRefusal, expectThat } from '../check.ts'
import { altered, backUp, expectDigest, expectVector, fetchFile, roomWith, upload } from '../content.ts'
import { readExport } from '../export.ts'
import type { Region } from '../region-under-test.ts'
import { backupVector, contentOf } from '../vectors.ts'

const password = 'päss word'

export const databaseChecks: Check[] = [
  // shows: region-databases
  {
    name: 'databases are exported, imported, deleted and restored, with all that is in them',
    page: 'jobs.md#importdatabase',
    run: movesDatabases,
  },
  {
    name: 'an import takes no name that is taken, in any case, unless both hold the same or it has been done before',
    page: 'jobs.md#importdatabase',
    run: keepsNames,
  },
  {
    name: 'an import that was done before is done again once its database is deleted, and never over another one',
    page: 'jobs.md#importdatabase',
    run: async (region) => {
      const { run } = region
      const { name, own } = await roomWith(region, 'room.zip')
      const add = async (database: string) => ({
        ...{ type: 'importDatabase' as const, ...own, database: 'added', password },
        file: await exportOf(region, name, database),
      })
      const [first, second] = [await add('values'), await add('main')]
      await run(first)
      const digest = await region.digestOf(name)
      await run({ type: 'deleteDatabase', ...own, database: 'added' })
      await run(first)
      expectEqual(await region.digestOf(name), digest, 'the digest, once the database is imported again')
      await run({ type: 'deleteDatabase', ...own, database: 'added' })
      await run(second)
      await expectFailure(run(first), 'database-exists', 'the first import, once another one has the name')
    },
  },
  {
    name: 'a wrong password of an export is told apart from damage, also while others try',
    page: 'formats.md#database-export-adb',
    run: tellsDamageFromPassword,
  },
  {
    name: 'an export is of the database as it is now, and needs its name as the room spells it',
    page: 'jobs.md#backupdatabase',
    run: exportsWhatIsNow,
  },
]

/** What the vector's queries find in its database `main`, if it is called `name`. */
const readsAs = (name: string) => backupVector('handled.zip').reads.map((read) => ({ ...read, database: name }))

async function exportOf({ run }: Region, room: string, database: string): Promise<string> {
  return (await run({ type: 'backupDatabase', room, database, password })).file
}

async function movesDatabases(region: Region): Promise<void> {
  const { client, run } = region
  const { name, own, vector } = await roomWith(region, 'handled.zip')
  const made = await run({ type: 'backupDatabase', room: name, database: 'main', password })
  const bytes = await fetchFile(region, made)
  expectReads(new Map([['databases/main.db', readExport(bytes, password).database]]), vector.reads, 'in the export')
  const times = await client.databases(name)
  expectThat(
    times.every(({ backupAt }) => backupAt !== null),
    'a time of backup',
    times,
  )
  const { file } = made
  const imported = await run({ type: 'importDatabase', ...own, database: 'Second one', file, password })
  expectEqual(imported, { database: 'Second one' }, 'the import')
  for (const existed of [true, false])
    expectEqual(await run({ type: 'deleteDatabase', ...own, database: 'MAIN' }), { existed }, 'the deletion')
  const left = await backUp(region, name)
  expectEqual(left.databases, ['Second one'], 'the databases in a backup after the deletion')
  expectReads(left.files, readsAs('Second one'), 'in a backup after the deletion')
  const restored = await run({ type: 'restoreDatabase', ...own, database: 'main', file, password })
  expectEqual(restored, { database: 'main' }, 'the restore of the deleted database')
  expectReads((await backUp(region, name)).files, [...readsAs('main'), ...readsAs('Second one')], 'after the restore')
  await run({ type: 'deleteDatabase', ...own, database: 'second ONE' })
  await expectVector(region, name, vector, 'once the other database is deleted')
  const climbing = run({ type: 'importDatabase', ...own, database: '../x', file, password })
  await expectRefusal(climbing, 400, 'a name that climbs')
}

async function keepsNames(region: Region): Promise<void> {
  const { run } = region
  const { name, own, vector } = await roomWith(region, 'room.zip')
  const file = await exportOf(region, name, 'values')
  const values = { type: 'importDatabase' as const, ...own, file, password }
  await expectFailure(
    run({ ...values, database: 'main' }),
    'database-exists',
    'a name of a database that holds something else',
  )
  await expectFailure(run({ ...values, database: 'VALUES' }), 'database-exists', 'a name in another case')
  expectEqual(
    await run({ ...values, database: 'values' }),
    { database: 'values' },
    'the same content under its own name',
  )
  await expectDigest(region, name, vector, 'after that')
  const names = { sent: 'a\u0308rger', told: 'ärger' }
  expectEqual(await run({ ...values, database: names.sent }), { database: names.told }, 'a name that is not in NFC')
  const before = await region.digestOf(name)
  expectEqual(await run({ ...values, database: names.sent }), { database: names.told }, 'the same import again')
  expectEqual(await region.digestOf(name), before, 'the digest of the room')
  expectThat((await backUp(region, name)).databases.includes(names.told), 'its name in NFC in a backup', names.told)
}

async function tellsDamageFromPassword(region: Region): Promise<void> {
  const { run } = region
  const { name, own, vector } = await roomWith(region, 'handled.zip')
  const made = await run({ type: 'backupDatabase', room: name, database: 'main', password })
  const [{ file }, bytes] = [made, await fetchFile(region, made)]
  const copy = { type: 'importDatabase' as const, ...own, database: 'copy', file }
  const wrong = ['wrong', `${password} `, password.toUpperCase()].map((each) =>
    expectFailure(run({ ...copy, password: each }), 'wrong-password', `the password ${each}`),
  )
  await Promise.all([...wrong, run({ ...copy, database: 'right', password: password.normalize('NFD') })])
  await run({ type: 'deleteDatabase', ...own, database: 'right' })
  for (const damaged of [altered(bytes, bytes.length - 20), bytes.subarray(0, -1), bytes.subarray(0, 60)]) {
    const sent = await upload(region, damaged)
    await expectFailure(run({ ...copy, file: sent, password }), 'damaged-file', `${damaged.length} damaged bytes`)
  }
  await expectDigest(region, name, vector, 'afterwards')
}

async function exportsWhatIsNow(region: Region): Promise<void> {
  const { run } = region
  const { name, own } = await roomWith(region, 'handled.zip')
  const pack = { type: 'backupDatabase' as const, room: name, password }
  for (const database of ['MAIN', 'other'])
    await expectFailure(run({ ...pack, database }), 'database-unknown', `an export of ${database}`)
  const first = await fetchFile(region, await run({ ...pack, database: 'main' }))
  const later = backupVector('room.zip')
  await run({ type: 'restoreRoom', ...own, file: await upload(region, contentOf(later.file)) })
  const reads = later.reads
    .filter(({ database }) => database === 'values')
    .map((read) => ({ ...read, database: 'main' }))
  const restore = { type: 'restoreDatabase' as const, ...own, database: 'MAIN', password }
  const restored = await run({ ...restore, file: await exportOf(region, name, 'values') })
  expectEqual(restored, { database: 'main' }, 'the restore under a name in another case')
  const second = await fetchFile(region, await run({ ...pack, database: 'main' }))
  expectReads(new Map([['databases/main.db', readExport(second, password).database]]), reads, 'in the second export')
  const salts = [first, second].map((bytes) => bytes.subarray(9, 25).toString('hex'))
  expectThat(salts[0] !== salts[1], 'another salt in each export', salts)
}
