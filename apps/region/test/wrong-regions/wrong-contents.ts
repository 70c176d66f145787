/** Regions that lose or change content, read the formats wrong, or take what has to be refused. */
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { digestHeader } from '@roomkeeper/region-protocol'
import { importDatabase } from '#archives/database-export.ts'
import { backupWith, databaseWith, filesOfZip, withPath, zipOf } from '../hostile-file.ts'
import {
  after,
  also,
  asking,
  believing,
  ended,
  failedJob,
  jobOf,
  keeping,
  refusal,
  remaking,
  restores,
  resulting,
  run,
  sha256Of,
  type ToldJob,
  telling,
} from './faults.ts'
import { emptiedBackup, emptyDatabases, systemContent } from './rooms-on-disk.ts'
import { type Mistake, sloppyDigest, unpackedRoom, type Value } from './sloppy-digest.ts'
import type { Answer, Faults, Json, WrongRegion } from './wrong-region.ts'

const room = 'room.zip is restored and backed up as it is: a room with every kind of value and structure'
const values =
  'values.adb is imported, restored and exported as it is: every kind of value, with the cost that regions write'
const handled =
  'handled.zip is restored and backed up as it is: in a folder, with files of desktops, ZIP64 fields, sizes behind the content, and bytes behind the end'
const index = 'index.zip is restored and backed up as it is: a database of which only an index is damaged'
const refusedBackups = (code: string) =>
  `backups that have to be refused with ${code} are, and the room stays as it was`
const refusedExports = (code: string) =>
  `exports that have to be refused with ${code} are, and the room stays as it was`
const newRoom = 'a backup of a new room has its users, settings and licences in system.db, as they are spelled there'
const productJoins = 'a product backup of the region has only databases, and joins those of a room'
const imports = ['importDatabase', 'restoreDatabase']
const takers = [...restores, 'verifyBackup']

export const wrongContents: WrongRegion[] = [
  {
    name: 'documents-lost',
    does: 'A restore brings databases without their rows.',
    losesData: true,
    caughtBy: { [room]: 'once it is restored: the digest of the room' },
    faults: after(restores, (input, behind) => emptyDatabases(behind, input.room)),
  },
  {
    name: 'backups-empty',
    does: 'A backup holds databases without their rows.',
    losesData: true,
    caughtBy: { [room]: 'once it is restored, in' },
    faults: remaking('backupRoom', emptiedBackup),
  },
  {
    name: 'imports-empty',
    does: 'An imported database has no rows.',
    losesData: true,
    caughtBy: { [values]: 'once it is imported: the digest of the room' },
    faults: after(imports, (input, behind) => emptyDatabases(behind, input.room, 'imported')),
  },
  {
    name: 'echo',
    does: 'A restore loses the documents, and tells the digest that its backup should have.',
    losesData: true,
    caughtBy: {
      'restores and backups tell the digest of what they restore and pack when they are asked for it':
        'the digest that the backup tells',
    },
    faults: {
      startJob: async (call, behind) => {
        const input = await call.json()
        const answer = await ended(call)
        if (input.type !== 'restoreRoom' || answer.json.state !== 'done') return answer
        const from = { file: input.file }
        answer.json.result.digest = (await run(call, { type: 'verifyBackup', room: input.room, from })).digest
        emptyDatabases(behind, input.room)
        return answer
      },
    },
  },
  {
    name: 'system-not-restored',
    does: 'A restore brings the databases, and leaves users, licences and settings as they were.',
    losesData: true,
    caughtBy: { [room]: 'once it is restored: the digest of the room' },
    faults: keeping(restores, (old) => old.putBackSystem(systemContent)),
  },
  {
    name: 'settings-not-restored',
    does: 'A restore leaves the settings of the room as they were.',
    losesData: true,
    caughtBy: { [room]: 'once it is restored: the digest of the room' },
    faults: keeping(restores, (old) => old.putBackSystem(['settings'])),
  },
  {
    name: 'schema-updated',
    does: 'A restored room is brought to the newest schema version.',
    caughtBy: {
      'small.zip is restored and backed up as it is: a small room of schema version 1, whose main is empty':
        'once it is restored: the digest of the room',
    },
    faults: after(restores, ({ room, roomId, holder }, _, call) =>
      run(call, { type: 'updateSystemDatabase', room, roomId, holder, systemPassword: 'system password' }),
    ),
  },
  {
    name: 'restore-joins',
    does: 'The databases that a room had before stay beside those of the backup.',
    losesData: true,
    caughtBy: { [handled]: 'once it is restored: the digest of the room' },
    faults: keeping(restores, (old) => old.putBackDatabases()),
  },
  {
    name: 'digest-constant',
    does: 'The digest of every room is the same.',
    losesData: true,
    caughtBy: { [room]: 'once it is restored: the digest of the room' },
    faults: resulting('digestRoom', () => ({ digest: '0'.repeat(64) })),
  },
  ...digests([
    [
      'digest-of-settings',
      'of the settings only',
      { takesDatabases: false, takesTable: (name) => name === 'settings' },
    ],
    ['digest-of-system', 'of system.db only', { takesDatabases: false }],
    ['digest-reals', 'with whole reals as 1.0', { value: (value) => (isWhole(value) ? `r${value}.0` : undefined) }],
    ['digest-minus-zero', 'with −0 as r-0', { value: (value) => (Object.is(value, -0) ? 'r-0' : undefined) }],
    [
      'digest-doubles',
      'with integers as doubles, which lose their last digits',
      { value: (value) => (typeof value === 'bigint' ? `i${Number(value)}` : undefined) },
    ],
    ['digest-ascii', 'with characters beyond ASCII as \\u…', { line: inAscii }],
    [
      'digest-to-nul',
      'with texts that end at their first NUL',
      { value: (value) => (typeof value === 'string' ? `t${value.split('\0')[0]}` : undefined) },
    ],
    [
      'digest-valid-only',
      'without bytes that are no UTF-8',
      { value: (value) => (typeof value === 'string' ? `t${value.replaceAll('\ufffd', '')}` : undefined) },
    ],
    ['digest-normalised', 'with texts in NFC', { line: (line) => line.normalize('NFC') }],
    ['digest-unordered', 'with rows in the order in which SQLite finds them', { order: () => [] }],
    ['digest-collation', 'with rows in the order of the collation of the table', { collation: '' }],
    ['digest-all-columns', 'with rows ordered by all columns, not by the key', { order: (_, columns) => columns }],
    ['digest-key-by-name', 'with the columns of a key in the order of their names', { order: (key) => key.toSorted() }],
    ['digest-generated', 'with generated columns', { hasGeneratedColumns: true }],
    ['digest-utf8-order', 'with texts of a UTF-16 database in the order of UTF-8', { sort: inOrderOfUtf8 }],
  ]),
  {
    name: 'digest-of-restore',
    does: 'A restore tells another digest than digestRoom.',
    caughtBy: {
      'restores and backups tell the digest of what they restore and pack when they are asked for it':
        'the digest that the restore tells',
    },
    faults: resulting('restoreRoom', (result) => ({ ...result, digest: '0'.repeat(64) })),
  },
  {
    name: 'digest-of-verified',
    does: 'The test of a backup tells the SHA-256 of the file as its digest.',
    caughtBy: {
      'a test of a backup tells its files, bytes, databases, digest, and the databases with damaged indexes': 'digest',
    },
    faults: resulting('verifyBackup', (result) => ({ ...result, digest: sha256Of(Buffer.alloc(0)) })),
  },
  {
    name: 'manifest-without-sums',
    does: 'The manifest has no right SHA-256 of the files.',
    caughtBy: { [room]: 'the files that the manifest lists' },
    faults: remaking('backupRoom', (zip) =>
      withManifest(zip, (manifest) => {
        for (const file of manifest.files) file.sha256 = '0'.repeat(64)
      }),
    ),
  },
  {
    name: 'manifest-of-creation',
    does: 'The manifest has the settings with which the room was created.',
    caughtBy: { [room]: 'compared with the manifest' },
    faults: remaking('backupRoom', (zip) =>
      withManifest(zip, (manifest) => {
        manifest.licences = [{ licenseKey: 'YAAV', licenseAmount: 3, licenseType: 'NUC' }]
      }),
    ),
  },
  {
    name: 'exports-of-its-own',
    does: 'Exports are in a format that only this region reads.',
    losesData: true,
    caughtBy: { [values]: 'the first bytes of the export' },
    faults: remaking('backupDatabase', async (bytes) => Buffer.concat([Buffer.from('MYADB\x01'), bytes.subarray(6)])),
  },
  {
    name: 'folders-refused',
    does: 'A backup is refused whose files are in a folder.',
    caughtBy: { [handled]: 'manifest.json is not at the top' },
    faults: refusing(restores, 'wrong-content', 'manifest.json is not at the top', async (bytes) => {
      const names = await filesOfZip(bytes).catch(() => new Map<string, Buffer>())
      return !names.has('manifest.json')
    }),
  },
  {
    name: 'names-taken',
    does: 'A product backup is refused if the room has a database of a name, also an empty or an equal one.',
    caughtBy: {
      'product.zip is restored and backed up as it is: databases that join those of small.zip, whose main is empty and gives way':
        'main is taken',
      'product-same.zip is restored and backed up as it is: joins handled.zip, whose main has the same rows in another file':
        'main is taken',
    },
    faults: refusing(restores, 'database-exists', 'main is taken', async (bytes) => {
      const files = await filesOfZip(bytes).catch(() => new Map<string, Buffer>())
      return JSON.parse(String(files.get('manifest.json') ?? '{}')).kind === 'product'
    }),
  },
  {
    name: 'products-do-not-join',
    does: 'A product backup changes nothing.',
    losesData: true,
    caughtBy: { [productJoins]: 'the databases in the backup' },
    faults: {
      startJob: async (call) => {
        const { type, room, file } = await call.json()
        if (type !== 'restoreRoom') return null
        const { bytes } = await also(call, 'GET', `/files/${file}`)
        const kind = JSON.parse(String((await filesOfZip(bytes ?? Buffer.alloc(0))).get('manifest.json'))).kind
        if (kind !== 'product') return null
        const answer = await ended(call, { type: 'digestRoom', room })
        return { ...answer, json: { ...answer.json, type, result: { databases: ['lookalike', 'main'] } } }
      },
    },
  },
  {
    name: 'product-with-system',
    does: 'A product backup has system.db, too.',
    caughtBy: { [productJoins]: 'the kind in the manifest' },
    faults: { startJob: asking((job) => ({ ...job, ...(job.kind === 'product' ? { kind: 'room' } : {}) })) },
  },
  {
    name: 'settings-with-spaces',
    does: 'The settings in system.db are JSON with spaces, so a digest differs from that of any other region.',
    caughtBy: { [newRoom]: 'the texts in the table settings' },
    faults: remaking('backupRoom', (zip) =>
      withSystem(zip, `UPDATE settings SET value = replace(value, '","', '", "')`),
    ),
  },
  {
    name: 'delegate-without-role',
    does: 'Users have no roles in system.db.',
    caughtBy: { [newRoom]: 'users of a new room' },
    faults: remaking('backupRoom', (zip) => withSystem(zip, `UPDATE users SET role = 'user'`)),
  },
  {
    name: 'sessions-in-backups',
    does: 'A backup has the sessions of the room.',
    caughtBy: { [newRoom]: 'the rows of sessions in system.db' },
    faults: remaking('backupRoom', (zip) =>
      withSystem(zip, `INSERT INTO sessions SELECT id, id, id, createdAt, createdAt FROM users`),
    ),
  },
  {
    name: 'digest-remembered',
    does: 'The digest of a room is remembered, and told again after the room has changed.',
    losesData: true,
    caughtBy: {
      'a backup and a digest are of the room as it is now, and of no earlier job': 'once another backup is restored',
    },
    faults: () => {
      const digests = new Map<string, string>()
      return resulting('digestRoom', ({ digest }, { room }) => {
        digests.set(room, digests.get(room) ?? digest)
        return { digest: digests.get(room) }
      })
    },
  },
  {
    name: 'exports-remembered',
    does: 'An export is made once, and given again after the database has changed.',
    losesData: true,
    caughtBy: {
      'an export is of the database as it is now, and needs its name as the room spells it': 'in the second export',
    },
    faults: () => {
      const exports = new Map<string, Buffer>()
      return remaking('backupDatabase', async (bytes, _, { room, database, password }) => {
        const key = [room, database, password].join()
        exports.set(key, exports.get(key) ?? bytes)
        return exports.get(key) ?? bytes
      })
    },
  },
  {
    name: 'chunks-of-one-length',
    does: 'Only exports whose chunks are as long as this region writes them are read.',
    caughtBy: {
      'structures.adb is imported, restored and exported as it is: every kind of structure, in chunks of many lengths, also of none':
        'chunk 0 is too short',
    },
    faults: refusing(imports, 'damaged-file', 'chunk 0 is too short', async (bytes) => {
      const length = bytes.readUInt32BE(73)
      return length < 0x80000000 && length !== 262_144
    }),
  },
  {
    name: 'wal-refused',
    does: 'A database that was packed in WAL mode is refused.',
    caughtBy: {
      'wal.adb is imported, restored and exported as it is: a database that was packed in WAL mode':
        'it is in WAL mode',
    },
    faults: refusing(imports, 'wrong-content', 'it is in WAL mode', async (bytes, { password }) =>
      withPath(async (path) => {
        await writeFile(path, bytes)
        await importDatabase(path, `${path}.db`, password, AbortSignal.timeout(60_000))
        return (await readFile(`${path}.db`)).readUInt8(18) === 2
      }),
    ),
  },
  {
    name: 'digest-not-told',
    does: 'Backups and restores do not tell the digest that they are asked for.',
    caughtBy: {
      'restores and backups tell the digest of what they restore and pack when they are asked for it':
        'the digest that the backup tells',
    },
    faults: resulting('backupRoom', ({ digest: _, ...result }) => result),
  },
  {
    name: 'indexes-refused',
    does: 'A database of which only an index is damaged is refused.',
    caughtBy: { [index]: 'a job ended with 422' },
    faults: telling('restoreRoom', (job) => {
      if (job.state !== 'done') return
      const error = { type: 'urn:roomkeeper-region:wrong-content', title: 'x', status: 422, detail: 'It is damaged.' }
      return { ...job, state: 'failed', result: null, error }
    }),
  },
  ...taking('damaged-file', [
    ['archives-climb', 'an archive whose names lead outside of it', 'refused-climbing.zip', /\.zip that can be read/],
    ['sums-not-compared', 'a file that has another SHA-256 than the manifest says', 'refused-sha256.zip', /manifest/],
  ]),
  ...taking('wrong-content', [
    ['names-doubled', 'an archive with a name twice', 'refused-doubled.zip', /twice/],
    ['links-taken', 'an archive with a symbolic link', 'refused-link.zip', /link/],
    ['bombs-taken', 'an archive that unpacks to more than a thousandfold', 'refused-bomb.zip', /grow too much/],
    ['overlaps-taken', 'an archive whose files share their content', 'refused-overlapping.zip', /over each other/],
    ['unlisted-taken', 'a database that the manifest does not list', 'refused-not-listed.zip', /not listed/],
    ['missing-taken', 'a backup without a database that its manifest lists', 'refused-missing.zip', /missing/],
    ['torn-taken', 'a database with damaged pages', 'refused-database-torn.zip', /./],
    ['foreign-tables-taken', 'a system.db with other tables', 'refused-system-table.zip', /./],
  ]),
  ...taking('schema-too-new', [['newer-schemas-taken', 'a newer schema version', 'refused-schema-3.zip', /./]]),
  ...taking('product-differs', [['products-taken', 'a backup of another product', 'refused-product-differs.zip', /./]]),
  {
    name: 'verifies-nothing',
    does: 'A test of a backup is done without a look at the backup.',
    losesData: true,
    caughtBy: { [refusedBackups('damaged-file')]: 'verifyBackup: expected a failure' },
    faults: fromMemory(believing(['verifyBackup'], 'damaged-file', takenResult)),
  },
  {
    name: 'verifies-any-product',
    does: 'A test of a backup does not look at the product.',
    caughtBy: { [refusedBackups('product-differs')]: 'verifyBackup: expected a failure' },
    faults: fromMemory(believing(['verifyBackup'], 'product-differs', takenResult)),
  },
  ...taking('database-exists', [
    ['databases-overwritten', 'a product backup whose database is another in the room', 'refused-exists.zip', /./],
  ]),
  {
    name: 'tags-not-checked',
    does: 'The tags of an export are not checked, so what was altered is taken.',
    losesData: true,
    caughtBy: { [refusedExports('damaged-file')]: 'refused-altered.adb' },
    faults: fromMemory(believing(imports, 'damaged-file', () => ({ database: 'imported' }))),
  },
  {
    name: 'any-password',
    does: 'An export is taken whatever its password is.',
    losesData: true,
    caughtBy: { [refusedExports('wrong-password')]: 'refused-password.adb' },
    faults: believing(imports, 'wrong-password', () => ({ database: 'imported' })),
  },
  {
    name: 'anything-imported',
    does: 'What an export holds is not looked at.',
    losesData: true,
    caughtBy: { [refusedExports('wrong-content')]: 'refused-text.adb' },
    faults: fromMemory(believing(imports, 'wrong-content', () => ({ database: 'imported' }))),
  },
]

/** Regions whose digest is another than that of the page. */
function digests(list: [name: string, what: string, mistake: Mistake][]): WrongRegion[] {
  return list.map(([name, what, mistake]) => ({
    name,
    does: `The digest is ${what}.`,
    losesData: true,
    caughtBy: { [room]: 'once it is restored: the digest of the room' },
    // What it holds does not have to be on the reference.
    faults: {
      startJob: async (call) => {
        const { type, room } = await call.json()
        const done = (result: Json) => {
          return { status: 200, json: { ...jobOf(call.id, type, room, 'done'), progress: 1, result } }
        }
        if (type === 'restoreRoom') return done({ databases: ['main'] })
        return type === 'digestRoom' ? done({ digest: sloppyDigest(await unpackedRoom(), mistake) }) : null
      },
    },
  }))
}

function isWhole(value: Value): boolean {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21
}

function inAscii(line: string): string {
  return line.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** As if texts were compared in UTF-8, whatever the encoding of the database is. */
function inOrderOfUtf8(rows: Value[][], encoding: string): Value[][] {
  if (encoding === 'UTF-8') return rows
  return rows.toSorted(([one], [other]) =>
    typeof one === 'string' && typeof other === 'string' ? Buffer.from(one).compare(Buffer.from(other)) : 0,
  )
}

/** The result of a job that has taken what has to be refused. */
function takenResult({ type }: ToldJob): Json {
  const databases = ['main']
  return type === 'verifyBackup' ? { files: 2, bytes: 1, databases, digest: '0'.repeat(64) } : { databases }
}

/** Regions that take what has to be refused with this code. */
function taking(code: string, list: [name: string, what: string, vector: string, detail: RegExp][]): WrongRegion[] {
  return list.map(([name, what, vector, detail]) => ({
    name,
    does: `A restore takes ${what}.`,
    losesData: true,
    caughtBy: { [refusedBackups(code)]: vector },
    faults: fromMemory(believing(takers, code, takenResult, detail)),
  }))
}

/** Regions whose jobs of these types fail if the file that they are given is of this kind. */
function refusing(
  types: string[],
  code: string,
  detail: string,
  isRefused: (bytes: Buffer, input: Json) => Promise<boolean>,
): Faults {
  return {
    startJob: async (call) => {
      const input = await call.json()
      if (!types.includes(input.type)) return null
      const { bytes } = await also(call, 'GET', `/files/${input.file}`)
      if (bytes === undefined || !(await isRefused(bytes, input))) return null
      const { json, ...refused } = refusal(code === 'database-exists' ? 409 : 422, code)
      return failedJob(call, input, { ...refused, json: { ...json, detail } })
    },
  }
}

/**
 * What the reference has once refused, it refuses again, and the room is as before: a job that several wrong regions ask
 * for is run once. Without the product backups, whose refusal depends on the room.
 */
function fromMemory(faults: Faults): Faults {
  const contents = new Map<string, string>()
  const known = new Map<string, Promise<Answer>>()
  return {
    ...faults,
    putFile: (call) => {
      contents.set(call.id, call.headers.digest ?? '')
      return null
    },
    startJob: async (call, behind) => {
      const { type, room, file, from, digest } = await call.json()
      const content = contents.get(file ?? from?.file) ?? ''
      const isRefused = refusedContents.has(content)
      if (!isRefused && type !== 'digestRoom') known.delete(room)
      const [memory, key] = isRefused ? [refusals, [type, digest, content].join()] : [known, room]
      const pass = async () => {
        const answer = memory.get(key) ?? ended(call)
        memory.set(key, answer)
        return { ...(await answer), json: { ...(await answer).json, id: call.id, room } }
      }
      const isKept = isRefused || type === 'digestRoom'
      return faults.startJob?.(isKept ? { ...call, pass } : call, behind) ?? null
    },
  }
}

const vectorList = new URL('../../../../packages/region-protocol/vectors/vectors.json', import.meta.url)
const vectors: { sha256: string; code?: string }[] = JSON.parse(readFileSync(vectorList, 'utf8'))
const refusals = new Map<string, Promise<Answer>>()
const refusedContents = new Set(
  vectors
    .filter(({ code }) => code !== undefined && code !== 'database-exists')
    .map(({ sha256 }) => digestHeader(sha256)),
)

async function withSystem(zip: Buffer, sql: string): Promise<Buffer> {
  const system = (await filesOfZip(zip)).get('system.db')
  return system === undefined ? zip : backupWith(zip, { 'system.db': await databaseWith(sql, system) })
}

async function withManifest(zip: Buffer, change: (manifest: Json) => void): Promise<Buffer> {
  const files = await filesOfZip(zip)
  const manifest = JSON.parse(String(files.get('manifest.json')))
  change(manifest)
  files.set('manifest.json', Buffer.from(JSON.stringify(manifest)))
  return zipOf(files)
}
